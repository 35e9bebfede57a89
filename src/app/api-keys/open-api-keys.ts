import { readFileSync } from 'node:fs';
import type { ApiKey } from '../../contracts/api-key.ts';
import { ServiceError } from '../../contracts/errors.ts';
import type { Logger } from '../../contracts/logger.ts';
import { SETTINGS } from '../../settings/schema.ts';
import type { ServeSettings } from '../../settings/serve-settings.ts';
import { flagOf } from '../../settings/setting-entry.ts';
import type { Reloadable } from '../reload-on-change.ts';
import { keysOfSettings } from './keys-of-settings.ts';

export interface OpenApiKeys extends Reloadable {
  /** As they are now; none where clients need none. */
  current(): readonly ApiKey[];
}

/** The keys of the settings and of their file. Rejects with `invalid_settings` when the file cannot be used. */
export async function openApiKeys(
  { apiKeys, apiKeyFile }: Pick<ServeSettings, 'apiKeys' | 'apiKeyFile'>,
  logger: Logger,
): Promise<OpenApiKeys> {
  const given = keysOfSettings(apiKeys);
  if (apiKeyFile === undefined) return { current: () => given, filePaths: [], reload: () => undefined };
  // Only now: most servers do without the parser of YAML.
  const { parseKeyFile } = await import('../../settings/parse-key-file.ts');
  const read = () => [...given, ...parseKeyFile(readText(apiKeyFile), apiKeyFile)];
  let keys = read();
  return {
    current: () => keys,
    filePaths: [apiKeyFile],
    reload() {
      try {
        keys = read();
        logger.info(`API keys: ${keys.length} after reading ${apiKeyFile} again.`);
      } catch (error) {
        const reason = error instanceof ServiceError ? error.message : 'it cannot be read';
        logger.error(`API keys: those from before stay, ${reason}`);
      }
    },
  };
}

function readText(filePath: string): string {
  try {
    return readFileSync(filePath, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    const flag = flagOf(SETTINGS.apiKeyFile);
    throw new ServiceError('invalid_settings', `${flag}: expected a readable file, got ${code} for '${filePath}'`, {
      param: flag,
      cause: error,
    });
  }
}
