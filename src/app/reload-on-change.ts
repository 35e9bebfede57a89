import { watchFiles } from './watch-files.ts';

/** What is in files that may change while the server runs. */
export interface Reloadable {
  readonly filePaths: readonly string[];
  /** Takes what the files say now, or keeps what was and logs why. Must not throw. */
  reload(): void;
}

export interface Reloading {
  /** Reloads all of them; `undefined` where there is nothing to reload. */
  readonly reload: (() => void) | undefined;
  stop(): void;
}

/** Reloads each of them when one of its files changes. */
export function reloadOnChange(all: readonly Reloadable[]): Reloading {
  const stops = all.map(({ filePaths, reload }) => watchFiles(filePaths, reload));
  const hasFiles = all.some(({ filePaths }) => filePaths.length > 0);
  return {
    reload: hasFiles ? () => all.forEach(({ reload }) => void reload()) : undefined,
    stop: () => stops.forEach((stop) => void stop()),
  };
}
