import { fileURLToPath } from 'node:url';

/** The path of a file of this project, by its path from the root. */
export const projectFile = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
