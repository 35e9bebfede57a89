import { expect, test } from 'vitest';
import { ServiceError } from '../contracts/errors.ts';
import { toFailure, toServiceError } from './tokenizer-failure.ts';

const across = (error: unknown): ServiceError => toServiceError(structuredClone(toFailure(error)));

test('a ServiceError keeps its code, message and param, and its cause as text', () => {
  const error = across(
    new ServiceError('invalid_request', 'Token id 9.', { param: 'input', cause: new Error('line 3') }),
  );
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ code: 'invalid_request', message: 'Token id 9.', param: 'input' });
  expect(error.cause).toEqual(new Error('line 3'));
});

test('a ServiceError without param and cause has none afterwards', () => {
  const error = across(new ServiceError('invalid_model_folder', 'No.'));
  expect(error.param).toBeUndefined();
  expect(error.cause).toBeUndefined();
});

test.each([
  ['an Error', new Error('the whole input'), 'the whole input'],
  ['a thrown string', 'odd', 'odd'],
  ['a very long text', new Error('x'.repeat(5000)), 'x'.repeat(2000)],
])('%s shows nothing of itself; its text is the cause', (_name, thrown, detail) => {
  const error = across(thrown);
  expect(error).toMatchObject({ code: 'internal_error', message: 'The tokenizer failed.', param: undefined });
  expect(error.cause).toEqual(new Error(detail));
});
