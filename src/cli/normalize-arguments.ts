const PROGRAM_FLAGS = new Set(['--help', '-h', '--version', '-V']);

/** The command that hands its arguments on: what looks like a flag, `--help` among them, is none of this program's. */
const OPAQUE_COMMAND = 'bench';

/** The original's first command, which took one model under another name. */
const OLD_COMMAND = 'v1';
const OLD_FLAGS: Readonly<Record<string, string>> = { '--model-name-or-path': '--model-id' };

/**
 * Arguments in the form that the parser gets: the implied command is put in front where none is named, and
 * `--flag=value` becomes two arguments, so that the value of a misspelt flag, which may be a key, is never quoted back.
 * The original's deprecated `v1` becomes the implied command with its flags renamed.
 */
export function normalizeArguments(given: readonly string[], impliedCommand: string): string[] {
  const [first, ...rest] = given;
  if (first === OLD_COMMAND) {
    return [impliedCommand, ...rest.flatMap(splitAssignment).map((argument) => OLD_FLAGS[argument] ?? argument)];
  }
  if (first === OPAQUE_COMMAND) return [first, '--', ...rest];
  const isImplied = first === undefined || (first.startsWith('-') && !PROGRAM_FLAGS.has(first));
  return [...(isImplied ? [impliedCommand] : []), ...given.flatMap(splitAssignment)];
}

function splitAssignment(argument: string): string[] {
  const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(argument) ?? [];
  return flag === undefined || value === undefined ? [argument] : [flag, value];
}
