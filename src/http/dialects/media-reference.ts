import type { Engine, RequestContext } from '../../contracts/engine.ts';
import { ServiceError } from '../../contracts/errors.ts';
import { textListField } from './fields/texts-field.ts';

/** Most images or sounds in one request, as from the original. */
const MAX_MEDIA_ITEMS = 32;
const MAX_URL_CHARACTERS = 2083;

const URL_REFERENCE = /^https?:\/\/[^\s/]+/i;
/** The original's grammar: one type, then perhaps a name, a charset and `base64`, in this order. */
const DATA_URI = /^data:(?:\w+\/[\w\-+.]+)?(?:;name=[\w.\-%!*'~()]+)?(?:;charset=[\w\-+.]+)?(?:;base64)?,/;

/** The `input` of images and sounds; as JSON Schema. */
export function mediaField(maxItems: number) {
  const limit = Math.min(MAX_MEDIA_ITEMS, maxItems);
  return {
    anyOf: [{ type: 'string' }, textListField(limit)],
    description: 'Data URIs, or http and https URLs.',
  } as const;
}

export interface MediaRequest {
  readonly model: string | undefined;
  readonly modality: 'image' | 'audio';
  readonly input: unknown;
  readonly maxItems: number;
}

/**
 * No model of this version takes images or sounds: such a request is validated, its model looked up, and then refused with
 * `capability_missing`.
 */
export function refuseMedia(
  engine: Pick<Engine, 'requireCapability'>,
  { model, modality, input, maxItems }: MediaRequest,
  context: Pick<RequestContext, 'mayUse'>,
): never {
  checkMediaReferences(input, maxItems);
  engine.requireCapability({ model }, `${modality}_embed`, context);
  throw new ServiceError('capability_missing', `This server does not embed the modality \`${modality}\``, {
    param: 'modality',
  });
}

/** Throws `invalid_request` unless each entry is a data URI or a URL, and there are not too many. Fetches nothing. */
function checkMediaReferences(input: unknown, maxItems: number): void {
  const references: readonly unknown[] = Array.isArray(input) ? input : [input];
  const limit = Math.min(MAX_MEDIA_ITEMS, maxItems);
  if (references.length > limit) throw refusal('input', `at most ${limit} items, got ${references.length}`);
  for (const [index, reference] of references.entries()) {
    const field = Array.isArray(input) ? `input[${index}]` : 'input';
    if (typeof reference !== 'string') throw refusal(field, 'a data URI or an http or https URL, got no text');
    if (DATA_URI.test(reference)) continue;
    if (!URL_REFERENCE.test(reference)) throw refusal(field, 'a data URI or an http or https URL, got another text');
    if (reference.length > MAX_URL_CHARACTERS) {
      throw refusal(field, `a URL of at most ${MAX_URL_CHARACTERS} characters, got ${reference.length}`);
    }
  }
}

function refusal(field: string, problem: string): ServiceError {
  return new ServiceError('invalid_request', `${field}: expected ${problem}`, { param: field });
}
