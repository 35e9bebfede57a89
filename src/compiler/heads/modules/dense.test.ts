import { expect, test } from 'vitest';
import type { JsonObject } from '../../../contracts/json.ts';
import { dense } from './dense.ts';

const configure = (config: JsonObject | undefined) => dense({ type: 'Dense', path: '2_Dense', config }, 32);
const fits = { in_features: 32, out_features: 24, bias: false };

test('the width is the number of out_features', () => {
  expect(configure({ ...fits, activation_function: 'torch.nn.modules.linear.Identity' }).width).toBe(24);
  expect(configure({ in_features: 32, out_features: 24 }).width).toBe(24);
});

test.each<[JsonObject | undefined, string, string]>([
  [undefined, 'invalid_model_folder', 'modules.json lists Dense, but 2_Dense/config.json is missing'],
  [{ ...fits, in_features: 16 }, 'invalid_model_folder', '2_Dense/config.json: in_features is 16, expected 32'],
  [{ in_features: 32 }, 'invalid_model_folder', "field 'out_features' should be a positive whole number, got nothing"],
  [{ ...fits, use_residual: true }, 'unsupported_architecture', 'use_residual is true, expected false'],
  [
    { ...fits, activation_function: 'torch.nn.modules.activation.PReLU' },
    'unsupported_architecture',
    "activation_function is 'torch.nn.modules.activation.PReLU', expected one of GELU, Identity,",
  ],
  [{ ...fits, activation_function: 'os.Tanh' }, 'unsupported_architecture', "activation_function is 'os.Tanh'"],
])('%j is refused by name', (config, code, message) => {
  expect(() => configure(config)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) }));
});
