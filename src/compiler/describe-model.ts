import type { CompiledModel } from '../contracts/compiled-model.ts';
import type { ModelPlan, WantedTask } from './build-graph.ts';

/** What is known of a model before it is decided in which numbers its graph computes. */
export type ModelDescription = Omit<
  CompiledModel,
  'graphPath' | 'contentKey' | 'precision' | 'variant' | 'quality' | 'warning'
>;

export function describeModel(
  architecture: string,
  { model, head, inputs }: ModelPlan,
  task: WantedTask,
  unreadTensors: readonly string[],
): ModelDescription {
  return {
    tasks: task === 'auto' ? head.tasks : [task],
    architecture,
    inputs,
    outputs: head.outputs,
    ...(head.classification === undefined ? {} : { classification: head.classification }),
    ...(model.staticTokens === undefined ? {} : { staticTokens: model.staticTokens }),
    ...(head.pairPrompt === undefined ? {} : { pairPrompt: head.pairPrompt }),
    vocabularySize: model.vocabularySize,
    maxPositions: model.maxPositions,
    unreadTensors,
  };
}
