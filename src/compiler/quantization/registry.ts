import { int7ByRow } from './int7-by-row.ts';
import { int8Blocks } from './int8-blocks.ts';
import { int8ByRow } from './int8-by-row.ts';
import type { Cpu, Variant } from './variant.ts';

/** The best first. */
const VARIANTS: readonly Variant[] = [int8ByRow, int7ByRow, int8Blocks];

/** The variants whose results are right on a machine, the one for `int8` first. */
export function variantsFor(cpu: Cpu): readonly Variant[] {
  return VARIANTS.filter((variant) => variant.isRight(cpu));
}
