import type { Graph } from '../../compiler/graph/graph.ts';
import type { LinearProduct } from '../../compiler/quantization/linear-products.ts';
import type { Variant } from '../../compiler/quantization/variant.ts';
import type { CompileRequest } from '../../contracts/compile-job.ts';
import type { Quality } from '../../contracts/compiled-model.ts';
import type { GraphOnDisk } from './graph-on-disk.ts';

/** A quantised graph and how far it is from float32. */
export interface Candidate {
  readonly name: string;
  readonly quality: Quality;
  readonly trial: GraphOnDisk;
}

export interface CandidateParts {
  readonly name: string;
  readonly variant: Variant;
  /** The layers to quantise. */
  readonly products: readonly LinearProduct[];
}

/** What is found out about graphs by running them. */
export interface Trials {
  /** Writes a quantised graph and compares it with float32 on the texts of the check. */
  tryCandidate(parts: CandidateParts): Promise<Candidate>;
  /** Milliseconds that float32 and each of the candidates, in their order, need for some of these texts, taking turns. */
  timeBesideFloat32(candidates: readonly Candidate[]): Promise<Timing>;
}

export interface Timing {
  readonly float32Ms: number;
  readonly candidatesMs: readonly number[];
}

/** What one of the graphs is chosen by. */
export interface ChoiceContext {
  /** In float32. */
  readonly graph: Graph;
  /** All of its layers that may be quantised; at least one. */
  readonly products: readonly LinearProduct[];
  readonly request: Pick<CompileRequest, 'architecture' | 'cpuAbilities' | 'onQualityLoss'>;
  readonly trials: Trials;
}

export interface Choice {
  /** `undefined` for the float32 graph. */
  readonly kept: Candidate | undefined;
  readonly warning?: string;
}
