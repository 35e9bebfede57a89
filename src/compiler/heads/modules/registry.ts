import { dense } from './dense.ts';
import { normalize } from './normalize.ts';
import type { ConfigureVectorModule } from './vector-module.ts';

/** Modules that may follow a Pooling, by the last part of their class path: one line each. */
export const VECTOR_MODULES: ReadonlyMap<string, ConfigureVectorModule> = new Map([
  ['Dense', dense],
  ['Normalize', normalize],
]);
