import { describe, expect, test } from 'vitest';
import { cellsOf, nameOf } from './cells.mjs';
import { parseOptions } from './options.mjs';

describe('parseOptions', () => {
  test('without options a short run of our server alone', () => {
    const options = parseOptions([]);
    expect(options).toMatchObject({ own: true, limit: true, peer: undefined, dtype: 'float32' });
    // Minutes: what the cells take beside their preparation.
    expect(cellsOf(options).length * options.rounds * options.seconds).toBeLessThan(180);
  });

  test('lists choose the cells', () => {
    const options = parseOptions(['--task', 'embed', '--lengths', '8, mixed', '--concurrency', '1,8', '--texts', '4']);
    expect(cellsOf(options).map(nameOf)).toEqual([
      'embed 4 x 8, 1 client',
      'embed 4 x 8, 8 clients',
      'embed 4 x mixed, 1 client',
      'embed 4 x mixed, 8 clients',
    ]);
  });

  test('a rerank request holds documents', () => {
    const options = parseOptions(['--task', 'rerank', '--lengths', '32', '--concurrency', '1', '--documents', '20']);
    expect(cellsOf(options)).toEqual([{ task: 'rerank', length: 32, items: 20, clients: 1 }]);
  });

  test('a URL puts a peer beside ours, or alone', () => {
    const peer = { url: 'http://localhost:1/v1', model: 'm', apiKey: 'k', name: 'peer', command: undefined };
    const flags = ['--url', 'http://localhost:1/v1/', '--model', 'm', '--api-key', 'k'];
    expect(parseOptions(flags)).toMatchObject({ own: true, limit: true, peer });
    expect(parseOptions([...flags, '--alone'])).toMatchObject({ own: false, limit: false, peer });
  });

  test.each([
    [['--task', 'classify'], "--task: expected embed or rerank, got 'classify'"],
    [['--lengths', 'long'], "--lengths: expected a number from 5 to 512, got 'long'"],
    [['--lengths', '513'], "--lengths: expected a number from 5 to 512, got '513'"],
    [['--concurrency', '0'], "--concurrency: expected a number from 1, got '0'"],
    [['--concurrency', '1,'], "--concurrency: expected a number from 1, got ''"],
    [['--encoding', 'hex'], "--encoding: expected float or base64, got 'hex'"],
    [['--alone'], '--alone needs --url'],
    [['--command', 'true'], '--command needs --url'],
    [['--unknown'], "Unknown option '--unknown'"],
  ])('%j is refused: %s', (argv, message) => {
    expect(() => parseOptions(argv)).toThrow(message);
  });
});
