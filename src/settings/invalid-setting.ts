import { ServiceError } from '../contracts/errors.ts';

/** `source` is the flag or the environment name at fault; `problem` reads `expected X, got Y`. */
export function invalidSetting(source: string, problem: string): ServiceError {
  return new ServiceError('invalid_settings', `${source}: ${problem}`, { param: source });
}
