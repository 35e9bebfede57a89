import path from 'node:path';
import { ServiceError } from '../contracts/errors.ts';
import { isJsonObject, type JsonValue } from '../contracts/json.ts';
import type { ModelModule } from '../contracts/model-folder.ts';
import { kindOf } from './json-kind.ts';
import { readJsonFile, readJsonObject } from './read-json-file.ts';

export type ModuleRow = Omit<ModelModule, 'config'>;

/**
 * The rows of a sentence-transformers `modules.json` in their order; empty when there is no such file. `files` are those of
 * the folder: a config that is not among them is not read.
 */
export async function readModules(folderPath: string, files: readonly string[]): Promise<ModelModule[]> {
  const modules: ModelModule[] = [];
  for (const row of await readModuleRows(folderPath)) {
    const name = path.posix.join(row.path, 'config.json');
    const config = files.includes(name) ? await readJsonObject(path.join(folderPath, name)) : undefined;
    modules.push({ ...row, config });
  }
  return modules;
}

/** `modules.json` alone, without the files that it names. */
export async function readModuleRows(folderPath: string): Promise<ModuleRow[]> {
  const filePath = path.join(folderPath, 'modules.json');
  const rows = await readJsonFile(filePath);
  if (rows === undefined) return [];
  if (!Array.isArray(rows)) throw invalid(filePath, 'expected an array of modules', kindOf(rows));
  return rows.map((row, index) => parseRow(row, filePath, index));
}

function parseRow(row: JsonValue, filePath: string, index: number): ModuleRow {
  if (!isJsonObject(row)) throw invalid(filePath, `expected module ${index} to be an object`, kindOf(row));
  const { type, path: modulePath = '' } = row;
  const name = typeof type === 'string' ? (type.split('.').at(-1) ?? '') : '';
  if (name === '') {
    const actual = type === '' ? 'an empty string' : typeof type === 'string' ? `'${type}'` : kindOf(type);
    throw invalid(filePath, `expected 'type' of module ${index} to be a class path`, actual);
  }
  if (typeof modulePath !== 'string') {
    throw invalid(filePath, `expected 'path' of module ${index} to be a string`, kindOf(modulePath));
  }
  return { type: name, path: insidePath(modulePath, filePath, index) };
}

/** A module may not name a file outside of its model's folder. */
function insidePath(modulePath: string, filePath: string, index: number): string {
  const normal = path.posix.normalize(modulePath.replaceAll('\\', '/')).replace(/\/$/, '');
  const escapes = normal.startsWith('/') || normal === '..' || normal.startsWith('../') || /^[A-Za-z]:/.test(normal);
  if (escapes || normal.includes('\0')) {
    throw invalid(filePath, `expected 'path' of module ${index} to stay inside the model folder`, `'${modulePath}'`);
  }
  return normal === '.' ? '' : normal;
}

function invalid(filePath: string, expected: string, actual: string): ServiceError {
  return new ServiceError('invalid_model_folder', `'${filePath}': ${expected}, got ${actual}`);
}
