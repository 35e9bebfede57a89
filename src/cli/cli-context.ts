import type { InspectSettings, StoreReport } from '../app/vector-cache/inspect-vector-cache.ts';
import type { BulkRequest } from '../contracts/bulk-request.ts';
import type { ServeSettings } from '../settings/serve-settings.ts';

/** A row of `infinity doctor`. */
export interface DoctorFinding {
  readonly state: 'ok' | 'warning' | 'problem';
  readonly subject: string;
  readonly found: string;
  readonly advice?: string;
}

/** What the commands have of the outside world, so that a test can give them another. */
export interface CliContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Resolves when the service answers; `done` resolves with the exit code when it has ended. */
  readonly startService: (settings: ServeSettings) => Promise<{ readonly done: Promise<number> }>;
  /** Brings models into the hub's cache; a line for each. */
  readonly downloadModels: (settings: ServeSettings) => Promise<readonly string[]>;
  /** Computes a whole file. */
  readonly runBulk: (request: BulkRequest, settings: ServeSettings) => Promise<void>;
  /** What is cached, in lines. */
  readonly describeCachedModels: () => Promise<readonly string[]>;
  /** A line for each model that is gone. */
  readonly removeModels: (ids: readonly string[]) => Promise<readonly string[]>;
  /** Resolves with the exit code when it is over. */
  readonly runBenchmark: (options: readonly string[]) => Promise<number>;
  readonly examine: () => Promise<readonly DoctorFinding[]>;
  /** What the vector caches that outlive a server hold, after emptying them where that is asked for. */
  readonly inspectVectorCache: (
    settings: InspectSettings,
    options: { readonly clear: boolean },
  ) => Promise<readonly StoreReport[]>;
}

/** The real process. */
export function processContext(): CliContext {
  for (const stream of [process.stdout, process.stderr]) {
    // A reader that has seen enough (`infinity --help | head -1`) is no failure; unheard, its EPIPE would be one.
    stream.on('error', () => undefined);
  }
  const environment = process.env;
  return {
    environment,
    writeOut: (text) => process.stdout.write(text),
    writeError: (text) => process.stderr.write(text),
    // Each is loaded only when it is asked for: `--help` and a wrong flag need none of it.
    startService: async (settings) => (await import('../app/start-service.ts')).startService(settings),
    downloadModels: async (settings) =>
      (await import('../app/download-models.ts')).downloadModels(settings, environment),
    runBulk: async (request, settings) =>
      (await import('../app/bulk/run-bulk.ts')).runBulk(request, settings, environment),
    describeCachedModels: async () => (await import('../app/cached-models.ts')).describeCachedModels(environment),
    removeModels: async (ids) => (await import('../app/cached-models.ts')).removeModels(ids, environment),
    runBenchmark: async (options) => (await import('../app/run-benchmark.ts')).runBenchmark(options),
    examine: async () => (await import('../app/doctor/examine.ts')).examine(environment),
    inspectVectorCache: async (settings, options) =>
      (await import('../app/vector-cache/inspect-vector-cache.ts')).inspectVectorCache(settings, environment, options),
  };
}
