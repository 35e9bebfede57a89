import { ACTIVATION_NAMES } from '../layers/activation.ts';
import type { ConfigFields } from './config-fields.ts';
import { unsupportedField } from './unsupported-field.ts';

/** The name of an activation that the graph has. Throws `unsupported_architecture` for any other, with the list. */
export function activationField(family: string, fields: ConfigFields, field: string, fallback: string): string {
  const name = fields.text(field, fallback);
  if (ACTIVATION_NAMES.includes(name)) return name;
  throw unsupportedField(family, field, `'${name}'`, `one of ${ACTIVATION_NAMES.join(', ')}`);
}
