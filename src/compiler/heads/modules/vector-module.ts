import type { ModelModule } from '../../../contracts/model-folder.ts';
import type { Value } from '../../graph/graph.ts';
import type { GraphBuilder } from '../../graph/graph-builder.ts';
import type { WeightScope } from '../../weights/weight-scope.ts';

/** What a module of `modules.json` does to vectors. */
export interface VectorModule {
  /** Width of the vectors that it makes. */
  readonly width: number;
  /** `x` `[…, dim]` to `[…, width]`; `w` is the scope of the module's own weights. */
  apply(g: GraphBuilder, w: WeightScope, x: Value): Value;
}

/**
 * Reads one module into what it does to vectors of `width`. Throws `invalid_model_folder` or `unsupported_architecture`.
 */
export type ConfigureVectorModule = (module: ModelModule, width: number) => VectorModule;
