import type { GraphOutput, OutputRole } from '../../contracts/compiled-model.ts';

/** One row per item, `[batch, width]`. */
export function itemOutput(role: OutputRole, width: number): GraphOutput {
  return { name: role, role, per: 'item', width, firstToken: 0, ignoredIds: [] };
}

/** One row per token from `firstToken` on, `[batch, sequence - firstToken, width]`. */
export function tokenOutput(role: OutputRole, width: number, firstToken = 0): GraphOutput {
  return { name: role, role, per: 'token', width, firstToken, ignoredIds: [] };
}
