import { cls } from './cls.ts';
import { lasttoken } from './lasttoken.ts';
import { max } from './max.ts';
import { mean } from './mean.ts';
import { meanSqrtLenTokens } from './mean-sqrt-len-tokens.ts';
import type { Pooling } from './pooling.ts';
import { weightedmean } from './weightedmean.ts';

/** One line for each mode, in the order in which the reference concatenates the vectors of several. */
export const POOLINGS: readonly Pooling[] = [cls, max, mean, meanSqrtLenTokens, weightedmean, lasttoken];
