import type { ActivationRanges } from '../../contracts/activation-ranges.ts';
import type { Graph } from '../graph/graph.ts';
import type { LinearProduct } from './linear-products.ts';

/** What of a machine decides which variant is right. */
export interface Cpu {
  /** `x64`, `arm64`, … */
  readonly architecture: string;
  readonly cpuAbilities: readonly string[];
}

/** One way to compute linear layers in whole numbers of 8 bits. */
export interface Variant {
  readonly name: string;
  /** Whether its results are right on a machine: on some, products of 8-bit numbers saturate silently. */
  isRight(cpu: Cpu): boolean;
  /** The graph with these of its layers quantised; the others stay as they are. */
  quantize(graph: Graph, products: readonly LinearProduct[], ranges: ActivationRanges): Graph;
}
