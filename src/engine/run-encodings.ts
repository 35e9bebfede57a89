import type { CompiledModel, OutputRole } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { Scheduler } from '../contracts/scheduler.ts';
import type { Encoding } from '../contracts/tokenizer.ts';
import { outputOf } from './output-of.ts';

export interface RunRequest {
  /** The output that is asked for. */
  readonly role: OutputRole;
  readonly encode: () => Promise<readonly Encoding[]>;
  /** Aborts when the client has gone away. */
  readonly signal: AbortSignal;
  /** Field of the request that holds the texts. */
  readonly param: string;
}

export interface RunResult {
  /** One row of the output for each item; shared, never to be changed. */
  readonly rows: readonly Float32Array[];
  /** What entered the model. */
  readonly encodings: readonly Encoding[];
  /** Tokens of each item. */
  readonly lengths: readonly number[];
}

/**
 * Encodes and runs one request's items. Rejects with `request_cancelled` once the client has gone away, with
 * `invalid_request` when an item has no tokens at all (a model has nothing to say about it).
 */
export async function runEncodings(
  { compiled, scheduler }: { readonly compiled: CompiledModel; readonly scheduler: Scheduler },
  { role, encode, signal, param }: RunRequest,
): Promise<RunResult> {
  const { position } = outputOf(compiled, role);
  refuseCancelled(signal);
  const encodings = await encode();
  refuseCancelled(signal);
  const lengths = encodings.map(({ ids }) => ids.length);
  if (lengths.includes(0)) {
    throw new ServiceError('invalid_request', `'${param}' holds a text without tokens: expected at least one token`, {
      param,
    });
  }
  const items = await scheduler.submit(encodings, { signal });
  return { rows: items.flatMap((rows) => rows[position] ?? []), encodings, lengths };
}

function refuseCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new ServiceError('request_cancelled', 'The request was cancelled');
}
