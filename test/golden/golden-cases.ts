import { readFileSync } from 'node:fs';
import type { GraphOutput } from '../../src/contracts/compiled-model.ts';
import type { Encoding } from '../../src/contracts/tokenizer.ts';

export interface GoldenOutput {
  readonly model_output?: 'raw' | 'normalized';
  readonly raw?: readonly (readonly number[])[];
  readonly normalized?: readonly (readonly number[])[];
  readonly logits?: readonly (readonly number[])[];
  /** Normalised, of BGE-M3. */
  readonly dense?: readonly (readonly number[])[];
  /** Weight by id. */
  readonly sparse?: readonly Readonly<Record<string, number>>[];
  /** Of BGE-M3: the weight of each token. */
  readonly token_weights?: readonly (readonly number[])[];
  readonly token_vectors_normalized?: readonly (readonly (readonly number[])[])[];
  /** The same, of BGE-M3. */
  readonly colbert?: readonly (readonly (readonly number[])[])[];
  readonly scores?: readonly Readonly<Record<string, number>>[];
  readonly sorted_labels?: readonly (readonly string[])[];
}

export interface GoldenCase {
  readonly id: string;
  readonly token_ids: readonly (readonly number[])[];
  readonly token_type_ids?: readonly (readonly number[])[];
  readonly output: GoldenOutput;
}

export interface Golden {
  readonly task: string;
  readonly tolerance: number;
  readonly tolerance_tight: number;
  readonly cases: readonly GoldenCase[];
}

export function readGolden(name: string): Golden {
  return JSON.parse(readFileSync(new URL(`public/${name}/expected.json`, import.meta.url), 'utf8'));
}

/** What the model itself returns: a vector or the logits of each item. */
export function expectedRows({ output }: GoldenCase): readonly (readonly number[])[] {
  return output.logits ?? output[output.model_output ?? 'raw'] ?? [];
}

/** What each item gives in one output; `undefined` where the reference has nothing for it. */
export function expectedOf(
  { output }: GoldenCase,
  { role }: GraphOutput,
  vocabularySize: number,
): readonly (readonly number[])[] | undefined {
  if (role === 'logits') return output.logits;
  if (role === 'colbert') return (output.token_vectors_normalized ?? output.colbert)?.map((vectors) => vectors.flat());
  if (role === 'sparse') {
    return output.sparse?.map((weights) => Array.from({ length: vocabularySize }, (_, id) => weights[id] ?? 0));
  }
  return output.dense ?? output[output.model_output ?? 'raw'];
}

export function encodingsOf({ token_ids, token_type_ids }: GoldenCase): readonly Encoding[] {
  return token_ids.map((ids, index) => ({
    ids: Int32Array.from(ids),
    typeIds: Int32Array.from(token_type_ids?.[index] ?? new Array(ids.length).fill(0)),
  }));
}
