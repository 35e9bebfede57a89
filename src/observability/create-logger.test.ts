import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Logger, LogLevel } from '../contracts/logger.ts';
import { createLogger } from './create-logger.ts';

function recordingLogger(level: LogLevel): { logger: Logger; written: string[] } {
  const written: string[] = [];
  return { logger: createLogger({ level, destination: { write: (text) => written.push(text) } }), written };
}

test('the start-up lines read exactly as operators of the original know them', () => {
  const { logger, written } = recordingLogger('info');
  logger.info('Started server process on http://0.0.0.0:7997');
  logger.info('Application startup complete. Ready for requests.');
  expect(written).toEqual([
    'INFO: Started server process on http://0.0.0.0:7997\n',
    'INFO: Application startup complete. Ready for requests.\n',
  ]);
});

test('each level has its name', () => {
  const { logger, written } = recordingLogger('debug');
  logger.error('a');
  logger.warning('b');
  logger.info('c');
  logger.debug('d');
  expect(written).toEqual(['ERROR: a\n', 'WARNING: b\n', 'INFO: c\n', 'DEBUG: d\n']);
});

test.each([
  ['critical', 0],
  ['error', 1],
  ['warning', 2],
  ['info', 3],
  ['debug', 4],
  ['trace', 4],
] as const)('at level %s the %i most severe of four messages are written', (level, count) => {
  const { logger, written } = recordingLogger(level);
  logger.error('a');
  logger.warning('b');
  logger.info('c');
  logger.debug('d');
  expect(written).toHaveLength(count);
});

test('fields follow the message, whatever they are called, and undefined ones are left out', () => {
  const { logger, written } = recordingLogger('info');
  logger.info('Loaded', { model: 'bge', seconds: 1.5, cached: true, reason: undefined, level: 'x', msg: 'y' });
  expect(written).toEqual(['INFO: Loaded model=bge seconds=1.5 cached=true level=x msg=y\n']);
});

test('a line is written before the call returns', () => {
  const { logger, written } = recordingLogger('info');
  logger.info('now');
  expect(written).toHaveLength(1);
});

test('a destination that fails, as a closed pipe does, ends nothing', async () => {
  const destination = new Writable({
    decodeStrings: false,
    write: (_text, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  });
  const logger = createLogger({ level: 'info', destination });
  logger.info('lost');
  await new Promise((resolve) => setImmediate(resolve));
  logger.info('lost too');
  await new Promise((resolve) => setImmediate(resolve));
  expect(destination.destroyed).toBe(true);
});

test('many loggers on one stream listen to it once', () => {
  const destination = new Writable({ write: (_text, _encoding, done) => done() });
  for (let count = 0; count < 20; count += 1) createLogger({ level: 'info', destination });
  expect(destination.listenerCount('error')).toBe(1);
});
