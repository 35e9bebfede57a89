import { ServiceError } from '../contracts/errors.ts';

/** A number's JSON text. Throws `run_failed` where JSON has none, which must not leave as `null` in a 200. */
export function finiteJson(number: number, name: string): string {
  if (Number.isFinite(number)) return String(number);
  throw new ServiceError('run_failed', `${name}: expected a finite number, got ${number}`);
}
