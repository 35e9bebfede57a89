/** What an inference process is told on its command line; everything else crosses its channel. */
export interface LaunchArguments {
  /** Process id of the server, which may be gone before the new process has looked for it. */
  readonly parentPid: number;
  /** What `ps` shows. */
  readonly title: string;
}

export function formatLaunchArguments({ parentPid, title }: LaunchArguments): readonly string[] {
  return [String(parentPid), title];
}

/** `argv` without the executable and the script. Throws when it was started by hand. */
export function parseLaunchArguments(argv: readonly string[]): LaunchArguments {
  const [pid, title] = argv;
  const parentPid = Number(pid);
  if (!Number.isSafeInteger(parentPid) || parentPid < 1 || title === undefined) {
    throw new Error(
      `An inference process is started by the server, with its process id and a title; got ${argv.length} arguments.`,
    );
  }
  return { parentPid, title };
}
