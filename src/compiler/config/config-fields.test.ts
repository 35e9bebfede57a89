import { expect, test } from 'vitest';
import { ConfigFields } from './config-fields.ts';

const fields = new ConfigFields(
  { size: 4, epsilon: 1e-12, name: 'gelu', on: true, wrong: 'four', none: null },
  'config.json',
);

test('reads each kind of field', () => {
  expect([fields.positiveInteger('size'), fields.positiveNumber('epsilon')]).toEqual([4, 1e-12]);
  expect([fields.text('name'), fields.flag('on')]).toEqual(['gelu', true]);
});

test('a field that is missing or null takes the fallback', () => {
  expect([fields.positiveInteger('other', 7), fields.positiveInteger('none', 8)]).toEqual([7, 8]);
});

test.each([
  [() => fields.positiveInteger('other'), "config.json: field 'other' should be a positive whole number, got nothing"],
  [() => fields.positiveInteger('wrong', 7), 'should be a positive whole number, got "four"'],
  [() => fields.positiveInteger('epsilon'), 'should be a positive whole number, got 1e-12'],
  [() => fields.wholeNumber('epsilon'), 'should be a whole number, 0 or more, got 1e-12'],
  [() => fields.fraction('size'), 'should be a number from 0 to 1, got 4'],
  [() => fields.positiveNumber('name'), 'should be a positive number, got "gelu"'],
  [() => fields.text('size'), 'should be a text, got 4'],
  [() => fields.flag('size'), 'should be true or false, got 4'],
])('a field of another kind is refused (%#)', (read, message) => {
  expect(read).toThrow(
    expect.objectContaining({ code: 'invalid_model_folder', message: expect.stringContaining(message) }),
  );
});

test.each([
  ['num_hidden_layers', 1000],
  ['n_layer', 1000],
  ['hidden_size', 131_072],
  ['head_dim', 131_072],
  ['vocab_size', 16_777_216],
  ['max_position_embeddings', 16_777_216],
])('%s may be %d and no more: a graph is not laid out for whatever a file says', (field, most) => {
  expect(new ConfigFields({ [field]: most }, 'config.json').positiveInteger(field)).toBe(most);
  expect(() => new ConfigFields({ [field]: most + 1 }, 'config.json').positiveInteger(field)).toThrow(
    `field '${field}' should be a positive whole number up to ${most}, got ${most + 1}`,
  );
});
