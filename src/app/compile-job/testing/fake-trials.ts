import { GraphBuilder } from '../../../compiler/graph/graph-builder.ts';
import { linearProducts } from '../../../compiler/quantization/linear-products.ts';
import type { Quality } from '../../../contracts/compiled-model.ts';
import type { Candidate, CandidateParts, ChoiceContext, Trials } from '../choice.ts';

const WIDTH = 16;

const weight = (name: string, dims: readonly number[]) => ({ name, dims, chunks: () => [] });

/** Two linear layers of which the first is behind a norm and the second is not, or both are. */
export function twoLayers({ bothBehindNorms = false } = {}): Pick<ChoiceContext, 'graph' | 'products'> {
  const g = new GraphBuilder();
  const x = g.input('x', 'FLOAT', ['batch', 'sequence', WIDTH]);
  const normed = g.node('LayerNormalization', [x, g.constant(weight('scale', [WIDTH]))]);
  const first = g.node('MatMul', [normed, g.constant(weight('first', [WIDTH, WIDTH]))]);
  const second = g.node('MatMul', [bothBehindNorms ? normed : first, g.constant(weight('second', [WIDTH, WIDTH]))]);
  g.output('y', g.node('Add', [first, second]));
  const graph = g.build();
  return { graph, products: linearProducts(graph) };
}

export interface TrialFigures {
  /** By the name of the graph; one that is not here must not be tried. */
  readonly qualities: Readonly<Record<string, Quality>>;
  readonly float32Ms?: number;
  /** By the name of the graph. */
  readonly milliseconds?: Readonly<Record<string, number>>;
}

/** Trials that find what a test says, and tell what was done with the graphs. */
export function fakeTrials({ qualities, float32Ms = 0, milliseconds = {} }: TrialFigures) {
  /** Each graph with the weights of the layers that were quantised. */
  const tried: Record<string, readonly string[]> = {};
  const timed: string[] = [];
  const removed: string[] = [];

  async function tryCandidate({ name, products }: CandidateParts): Promise<Candidate> {
    const quality = qualities[name];
    if (quality === undefined) throw new Error(`nobody told the quality of ${name}`);
    tried[name] = products.map((product) => product.weight.name);
    const remove = async () => void removed.push(name);
    const keep = async () => `/work/${name}`;
    const withSession = () => Promise.reject(new Error('a graph that is only told of cannot be run'));
    return { name, quality, trial: { keep, remove, withSession } };
  }

  const trials: Trials = {
    tryCandidate,
    async timeBesideFloat32(candidates) {
      timed.push(...candidates.map(({ name }) => name));
      return { float32Ms, candidatesMs: candidates.map(({ name }) => milliseconds[name] ?? Number.NaN) };
    },
  };
  return { trials, tried, timed, removed };
}
