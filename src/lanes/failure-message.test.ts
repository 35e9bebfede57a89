import { describe, expect, test } from 'vitest';
import { ServiceError } from '../contracts/errors.ts';
import { encodeFailure, readFailure } from './failure-message.ts';
import { FRAME_HEADER_BYTES } from './frame.ts';

const across = (error: unknown): ServiceError => {
  const unknown = { code: 'run_failed', message: 'The run failed.' } as const;
  return readFailure(encodeFailure(1, error, unknown).subarray(FRAME_HEADER_BYTES));
};

describe('a failure that crosses a lane', () => {
  test('a ServiceError keeps its code, message and param, and its cause as text', () => {
    const cause = new Error('offset 17');
    const error = across(new ServiceError('invalid_checkpoint', 'Too short.', { param: 'model', cause }));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: 'invalid_checkpoint', message: 'Too short.', param: 'model' });
    expect(error.cause).toEqual(new Error('offset 17'));
  });

  test('a ServiceError without param and cause has none afterwards', () => {
    const error = across(new ServiceError('compile_failed', 'No.'));
    expect(error.param).toBeUndefined();
    expect(error.cause).toBeUndefined();
  });

  test.each([
    ['an Error', new Error('/home/me/secret: idx=9'), '/home/me/secret: idx=9'],
    ['a thrown string', 'odd', 'odd'],
    ['a very long text', new Error('x'.repeat(5000)), 'x'.repeat(2000)],
  ])('%s shows only what is safe; its text is the cause', (_, thrown, detail) => {
    const error = across(thrown);
    expect(error).toMatchObject({ code: 'run_failed', message: 'The run failed.' });
    expect(error.cause).toEqual(new Error(detail));
  });
});
