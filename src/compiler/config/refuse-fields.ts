import type { JsonObject, JsonValue } from '../../contracts/json.ts';
import { unsupportedField } from './unsupported-field.ts';

/** Field of config.json -> the values that the graph follows. A field that is missing or null is always followed. */
export type FollowedValues = Readonly<Record<string, readonly JsonValue[]>>;

/**
 * Throws `unsupported_architecture` for the first field whose value the graph would not follow, with family, field, actual
 * and expected.
 */
export function refuseFields(config: JsonObject, family: string, followed: FollowedValues): void {
  for (const [field, values] of Object.entries(followed)) {
    const value = config[field];
    if (value === undefined || value === null) continue;
    const actual = JSON.stringify(value);
    const expected = values.map((each) => JSON.stringify(each));
    if (expected.includes(actual)) continue;
    throw unsupportedField(family, field, actual.slice(0, 200), expected.join(' or ') || 'nothing');
  }
}
