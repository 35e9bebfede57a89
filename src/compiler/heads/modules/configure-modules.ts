import { ServiceError } from '../../../contracts/errors.ts';
import type { ModelModule } from '../../../contracts/model-folder.ts';
import type { Value } from '../../graph/graph.ts';
import type { GraphBuilder } from '../../graph/graph-builder.ts';
import type { WeightScope } from '../../weights/weight-scope.ts';
import { VECTOR_MODULES } from './registry.ts';

export interface ConfiguredModules {
  readonly width: number;
  /** `x` `[…, dim]` to `[…, width]`; `root` is the checkpoint's top, where the weights of each module lie under its path. */
  apply(g: GraphBuilder, root: WeightScope, x: Value): Value;
}

/** A module may read another feature than the one that the row of modules hands on. */
const HANDED_ON: readonly unknown[] = [undefined, null, 'sentence_embedding', 'token_embeddings'];

function refuseOtherFeatures({ path, config }: ModelModule): void {
  for (const field of ['module_input_name', 'module_output_name']) {
    const name = config?.[field];
    if (HANDED_ON.includes(name)) continue;
    throw new ServiceError(
      'unsupported_architecture',
      `${path}/config.json: ${field} is ${JSON.stringify(name)}, expected 'sentence_embedding' or 'token_embeddings'`,
    );
  }
}

/** Modules one after another. Throws `unsupported_architecture` for a type that is not in the registry. */
export function configureModules(modules: readonly ModelModule[], width: number): ConfiguredModules {
  let reached = width;
  const steps = modules.map((module) => {
    const configure = VECTOR_MODULES.get(module.type);
    if (configure === undefined) {
      throw new ServiceError(
        'unsupported_architecture',
        `modules.json lists ${module.type} after the Transformer, expected ${[...VECTOR_MODULES.keys()].join(' or ')}`,
      );
    }
    refuseOtherFeatures(module);
    const step = configure(module, reached);
    reached = step.width;
    return { path: module.path, step };
  });
  return {
    width: reached,
    apply: (g, root, x) => steps.reduce((value, { path, step }) => step.apply(g, root.at(path), value), x),
  };
}
