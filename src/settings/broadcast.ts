import { invalidSetting } from './invalid-setting.ts';

/** One value stands for all of `count` models; `count` values go by position. Throws `invalid_settings` for any other. */
export function broadcast<Value>(values: readonly Value[], count: number, source: string): readonly Value[] {
  if (values.length === count) return values;
  if (values.length === 1) return Array.from({ length: count }).flatMap(() => values);
  const expected = count === 1 ? '1 value for the 1 model' : `1 value or ${count}, one for each of the ${count} models`;
  throw invalidSetting(source, `expected ${expected}, got ${values.length}`);
}
