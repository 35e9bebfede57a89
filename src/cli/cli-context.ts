import type { ServeSettings } from '../settings/serve-settings.ts';

/** What the commands have of the outside world, so that a test can give them another. */
export interface CliContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Resolves when the service answers; `done` resolves with the exit code when it has ended. */
  readonly startService: (settings: ServeSettings) => Promise<{ readonly done: Promise<number> }>;
}

/** The real process. */
export function processContext(): CliContext {
  for (const stream of [process.stdout, process.stderr]) {
    // A reader that has seen enough (`infinity --help | head -1`) is no failure; unheard, its EPIPE would be one.
    stream.on('error', () => undefined);
  }
  return {
    environment: process.env,
    writeOut: (text) => process.stdout.write(text),
    writeError: (text) => process.stderr.write(text),
    // Loaded only when it is started: `--help` and a wrong flag need none of it.
    startService: async (settings) => (await import('../app/start-service.ts')).startService(settings),
  };
}
