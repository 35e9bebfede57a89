import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { processTree } from './process-tree.ts';

const INTERVAL_MS = 10;
/** Of /proc/net/tcp: the state of a socket that waits for others. */
const LISTENING = '0A';

interface Socket {
  readonly protocol: 'tcp' | 'udp';
  readonly localPort: number;
  readonly remotePort: number;
}

function socketInodes(pid: number): ReadonlySet<string | undefined> {
  return new Set(
    readdirSync(`/proc/${pid}/fd`).map((descriptor) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1];
      } catch {
        return undefined;
      }
    }),
  );
}

const portOf = (address = '') => Number.parseInt(address.slice(address.indexOf(':') + 1), 16);

/** What the process holds that has another end. */
function connectedSockets(pid: number): Socket[] {
  try {
    const inodes = socketInodes(pid);
    return (['tcp', 'tcp6', 'udp', 'udp6'] as const).flatMap((table) => {
      const protocol = table.startsWith('tcp') ? 'tcp' : 'udp';
      const rows = readFileSync(`/proc/${pid}/net/${table}`, 'utf8').trim().split('\n').slice(1);
      return rows.flatMap((row) => {
        const [, local, remote, state, , , , , , inode] = row.trim().split(/\s+/);
        const [localPort, remotePort] = [portOf(local), portOf(remote)];
        return inodes.has(inode) && state !== LISTENING && remotePort !== 0
          ? [{ protocol, localPort, remotePort }]
          : [];
      });
    });
  } catch {
    // It ended while being looked at.
    return [];
  }
}

/**
 * Looks every few milliseconds at the sockets of a process and of all its descendants, those of native code among them.
 * `stop` returns the ports that they were connected to, without the connections to the port that they serve.
 */
export function watchSockets(pid: number): { stop(servedPort?: number): readonly string[] } {
  const seen = new Map<string, Socket>();
  const timer = setInterval(() => {
    for (const socket of processTree(pid).flatMap(connectedSockets)) seen.set(Object.values(socket).join(' '), socket);
  }, INTERVAL_MS);
  return {
    stop(servedPort) {
      clearInterval(timer);
      const opened = [...seen.values()].filter(({ localPort }) => localPort !== servedPort);
      return [...new Set(opened.map(({ protocol, remotePort }) => `${protocol} ${remotePort}`))];
    },
  };
}
