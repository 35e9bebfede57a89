import type { RouteServices } from '../route.ts';

/** The `id` and `created` (Unix seconds) of a reply. */
export function replyStamp({ newId, nowMs }: Pick<RouteServices, 'newId' | 'nowMs'>): { id: string; created: number } {
  return { id: `infinity-${newId()}`, created: Math.floor(nowMs() / 1000) };
}
