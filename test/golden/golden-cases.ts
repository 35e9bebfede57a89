import { readFileSync } from 'node:fs';
import type { Encoding } from '../../src/contracts/tokenizer.ts';

export interface GoldenOutput {
  readonly model_output?: 'raw' | 'normalized';
  readonly raw?: readonly (readonly number[])[];
  readonly normalized?: readonly (readonly number[])[];
  readonly logits?: readonly (readonly number[])[];
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

export function encodingsOf({ token_ids, token_type_ids }: GoldenCase): readonly Encoding[] {
  return token_ids.map((ids, index) => ({
    ids: Int32Array.from(ids),
    typeIds: Int32Array.from(token_type_ids?.[index] ?? new Array(ids.length).fill(0)),
  }));
}
