import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServiceError } from '../contracts/errors.ts';
import { isJsonObject, type JsonValue } from '../contracts/json.ts';
import { readJsonFile } from './read-json-file.ts';

export interface BundledModel {
  readonly id: string;
  /** Other ids under which the same weights are published. */
  readonly aliases: readonly string[];
  /** Absolute path of its folder. */
  readonly path: string;
  /** Whether its numbers are those of the public checkpoint. */
  readonly exact: boolean;
}

/** From `src/hub` and from `dist/hub` alike. */
const PACKAGE_MODELS = fileURLToPath(new URL('../../models/', import.meta.url));

/** The models that ship with the package, from `models/bundled.json`. */
export async function bundledModels(modelsPath = PACKAGE_MODELS): Promise<BundledModel[]> {
  const filePath = path.join(modelsPath, 'bundled.json');
  const rows = await readJsonFile(filePath);
  if (!Array.isArray(rows)) {
    throw new ServiceError('model_unavailable', `'${filePath}': expected the list of bundled models, got none`);
  }
  return rows.map((row) => parseRow(row, filePath, modelsPath));
}

function parseRow(row: JsonValue, filePath: string, modelsPath: string): BundledModel {
  if (isJsonObject(row)) {
    const { id, folder, exact, aliases } = row;
    if (typeof id === 'string' && typeof folder === 'string' && typeof exact === 'boolean') {
      const names = Array.isArray(aliases) ? aliases.filter((alias) => typeof alias === 'string') : [];
      return { id, aliases: names, path: path.join(modelsPath, folder), exact };
    }
  }
  throw new ServiceError('model_unavailable', `'${filePath}': expected rows of id, folder and exact, got another form`);
}
