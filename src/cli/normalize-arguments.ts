const PROGRAM_FLAGS = new Set(['--help', '-h', '--version', '-V']);

/**
 * Arguments in the form that the parser gets: the implied command is put in front where none is named, and
 * `--flag=value` becomes two arguments, so that the value of a misspelt flag, which may be a key, is never quoted back.
 */
export function normalizeArguments(given: readonly string[], impliedCommand: string): string[] {
  const [first] = given;
  const isImplied = first === undefined || (first.startsWith('-') && !PROGRAM_FLAGS.has(first));
  return [...(isImplied ? [impliedCommand] : []), ...given.flatMap(splitAssignment)];
}

function splitAssignment(argument: string): string[] {
  const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(argument) ?? [];
  return flag === undefined || value === undefined ? [argument] : [flag, value];
}
