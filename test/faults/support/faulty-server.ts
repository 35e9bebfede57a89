import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import { isAlive, lanePids, processTree } from '../../e2e/support/process-tree.ts';
import { MAIN, type ServerOptions, type ServerProcess, startServer } from '../../e2e/support/start-server.ts';

const MARKERS: Readonly<Record<string, { readonly action: string }>> = JSON.parse(
  readFileSync(new URL('./markers.json', import.meta.url), 'utf8'),
);
const PRELOAD = fileURLToPath(new URL('./use-faulty-lanes.mjs', import.meta.url));

/** Small models: a start takes half a second, a run a millisecond. */
export const EMBEDDER = goldenModel('bert-mean');
export const RERANKER = goldenModel('bert-reranker');

function goldenModel(name: string): string {
  return fileURLToPath(new URL(`../../golden/public/${name}/model`, import.meta.url));
}

type Action = 'none' | 'crash' | 'exit' | 'hang' | 'throw' | 'wait';

/** What goes wrong, beside the marker words. */
export interface Faults {
  /** By a part of a model's name: what its first, second and each later start does. */
  readonly open?: Readonly<Record<string, readonly Action[]>>;
  readonly compile?: Action;
}

export interface FaultyServer extends ServerProcess {
  setFaults(faults: Faults): void;
  /** Items of each run that a lane was sent, oldest first. */
  runs(): number[];
  lanes(): number[];
  /** Lets runs that wait go on, these and all later ones. */
  release(): void;
}

const cleanUps: (() => Promise<void> | void)[] = [];

/** Ends all servers and removes all folders that this file has made; after each test by itself. */
export async function endServers(): Promise<void> {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
}
afterEach(endServers);

/** Runs after the test, the latest first. */
export function afterTest(cleanUp: () => Promise<void> | void): void {
  cleanUps.push(cleanUp);
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'infinity-faults-'));
  afterTest(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The server as it is, but for the faults of its inference processes; ended after the test, with all its processes. */
export function startFaultyServer(options: ServerOptions & { readonly faults?: Faults } = {}): FaultyServer {
  const folder = temporaryFolder();
  const setFaults = (faults: Faults) => writeFileSync(path.join(folder, 'faults.json'), JSON.stringify(faults));
  setFaults(options.faults ?? {});
  const server = startServer({
    ...options,
    command: [process.execPath, '--import', PRELOAD, MAIN],
    args: ['--no-model-warmup', ...(options.args ?? ['--model-id', EMBEDDER])],
    environment: { FAULTS_FOLDER: folder, ...options.environment },
  });
  afterTest(async () => {
    for (const pid of processTree(server.pid).reverse()) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await server.exited;
  });
  const runsFile = path.join(folder, 'runs');
  return {
    ...server,
    setFaults,
    runs: () => (existsSync(runsFile) ? readFileSync(runsFile, 'utf8').trim().split('\n').map(Number) : []),
    lanes: () => lanePids(server.pid),
    release: () => writeFileSync(path.join(folder, 'released'), ''),
  };
}

/** The word that makes a faulty lane do this. */
export function wordFor(action: string): string {
  const word = Object.entries(MARKERS).find(([, marker]) => marker.action === action)?.[0];
  if (word === undefined) throw new Error(`expected one of the markers' actions, got ${action}`);
  return word;
}

/** A folder for caches that no other test uses. */
export function newHome(): string {
  const home = path.join(temporaryFolder(), 'home');
  mkdirSync(home);
  return home;
}
