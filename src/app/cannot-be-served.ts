import { ServiceError } from '../contracts/errors.ts';
import type { ModelSettings } from '../settings/serve-settings.ts';

export function cannotBeServed(model: ModelSettings | undefined, failure: ServiceError): ServiceError {
  return new ServiceError(failure.code, `Model '${model?.modelId}' cannot be served: ${failure.message}`, {
    cause: failure,
  });
}
