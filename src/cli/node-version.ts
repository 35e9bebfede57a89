/** The oldest Node.js that the dependencies run on, as package.json declares it: major, minor. */
const MINIMUM = [20, 19] as const;

/** What is wrong with a Node.js version such as `18.20.4`, `undefined` when nothing is. Imports nothing: it runs first. */
export function nodeVersionProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1])) return undefined;
  return `ERROR: expected Node.js ${MINIMUM.join('.')} or newer, got ${version}\n`;
}
