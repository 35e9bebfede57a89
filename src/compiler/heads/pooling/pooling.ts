import type { WantedTokens } from '../../architectures/architecture.ts';
import type { Value } from '../../graph/graph.ts';
import type { GraphBuilder } from '../../graph/graph-builder.ts';

/** One way to make a vector of a sequence of hidden states. */
export interface Pooling {
  /** As `pooling_mode` in a Pooling module's config.json names it. */
  readonly mode: string;
  readonly wantedTokens: WantedTokens;
  /** `[batch, tokens, dim]` to `[batch, dim]` */
  pool(g: GraphBuilder, hidden: Value): Value;
}
