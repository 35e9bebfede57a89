import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the variables of huggingface_hub say; their names and defaults are those of the Python library. */
export interface HubEnvironment {
  /** Folder of the `models--org--name` folders. */
  readonly cacheFolder: string;
  /** Without a slash at the end. */
  readonly endpoint: string;
  readonly token: string | undefined;
  /** No request may be made. */
  readonly offline: boolean;
  /** Longest silence of a connection. */
  readonly timeoutMs: number;
}

const DEFAULT_ENDPOINT = 'https://huggingface.co';
/** A content delivery network that has to fetch a cold file first is silent for longer than Python's 10 s. */
const DEFAULT_TIMEOUT_MS = 30_000;
const TRUE = /^(?:1|on|yes|true)$/i;

export function readHubEnvironment(environment: Environment): HubEnvironment {
  const home = hubHome(environment);
  const timeoutSeconds = Number(environment.HF_HUB_DOWNLOAD_TIMEOUT);
  return {
    cacheFolder: expanded(environment.HF_HUB_CACHE || environment.HUGGINGFACE_HUB_CACHE || path.join(home, 'hub')),
    endpoint: (environment.HF_ENDPOINT || DEFAULT_ENDPOINT).replace(/\/+$/, ''),
    token: readToken(environment, home),
    offline: TRUE.test(environment.HF_HUB_OFFLINE || environment.TRANSFORMERS_OFFLINE || ''),
    timeoutMs: timeoutSeconds > 0 ? timeoutSeconds * 1000 : DEFAULT_TIMEOUT_MS,
  };
}

function hubHome(environment: Environment): string {
  const cache = environment.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  return expanded(environment.HF_HOME || path.join(cache, 'huggingface'));
}

function readToken(environment: Environment, home: string): string | undefined {
  const given = environment.HF_TOKEN || environment.HUGGING_FACE_HUB_TOKEN;
  if (given) return given.trim();
  if (TRUE.test(environment.HF_HUB_DISABLE_IMPLICIT_TOKEN ?? '')) return undefined;
  try {
    const filePath = environment.HF_TOKEN_PATH ? expanded(environment.HF_TOKEN_PATH) : path.join(home, 'token');
    return readFileSync(filePath, 'utf8').trim() || undefined;
  } catch {
    // No file, or one that this user may not open: public models need no token.
    return undefined;
  }
}

function expanded(folder: string): string {
  return path.resolve(/^~(?=$|[/\\])/.test(folder) ? path.join(homedir(), folder.slice(1)) : folder);
}
