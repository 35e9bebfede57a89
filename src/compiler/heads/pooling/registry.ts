import { cls } from './cls.ts';
import { mean } from './mean.ts';
import type { Pooling } from './pooling.ts';

/** One line for each mode. */
export const POOLINGS: readonly Pooling[] = [cls, mean];
