/** What a run takes on this machine: `fixedMs + tokens * msPerToken + tokens * length * msPerPair`. */
export interface RunCosts {
  /** Of a run however small: the operators' own overhead, and reading the weights. */
  readonly fixedMs: number;
  readonly msPerToken: number;
  /** Of a token and each token it attends to. */
  readonly msPerPair: number;
}

/** Until they have been measured: a model of 12 layers and 384 dimensions on two cores. */
export const USUAL_COSTS: RunCosts = { fixedMs: 2, msPerToken: 0.14, msPerPair: 0.000_01 };

export function runMs({ fixedMs, msPerToken, msPerPair }: RunCosts, batch: number, length: number): number {
  return fixedMs + batch * length * (msPerToken + length * msPerPair);
}
