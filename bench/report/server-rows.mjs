import { short } from './result-rows.mjs';

export const SERVER_HEAD = ['server', 'ready after ms', 'peak memory MB'];

/**
 * @param {readonly { name: string, readyMs: number | undefined, peakMb?: number | undefined }[]} servers
 * @returns {readonly (readonly string[])[]} with two servers, the first one's numbers say how they compare
 */
export function serverRows(servers) {
  const peer = servers[1];
  return servers.map(({ name, readyMs, peakMb }, index) => [
    name,
    value(readyMs, index === 0 ? peer?.readyMs : undefined),
    value(peakMb, index === 0 ? peer?.peakMb : undefined),
  ]);
}

/**
 * @param {number | undefined} own
 * @param {number | undefined} peer
 */
function value(own, peer) {
  if (own === undefined) return '-';
  return peer === undefined ? short(own) : `${short(own)} (${(own / peer).toFixed(2)} of it)`;
}
