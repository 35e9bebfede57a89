import { ServiceError } from '../contracts/errors.ts';

/** A shard lies beside its index: no separators, no parent, no drive letter. */
const PLAIN_NAME = /^[^/\\:\0]+$/;

/**
 * Reads a `….index.json` into tensor name -> shard file name; shards end in `extension`. Throws `invalid_checkpoint` where
 * it is not one, or where a shard's name would lead out of the model folder.
 */
export function parseShardIndex(fileName: string, text: string, extension: string): ReadonlyMap<string, string> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new ServiceError('invalid_checkpoint', `${fileName} is not JSON`, { cause });
  }
  const weightMap =
    typeof parsed === 'object' && parsed !== null ? (parsed as { weight_map?: unknown }).weight_map : undefined;
  if (typeof weightMap !== 'object' || weightMap === null || Array.isArray(weightMap)) {
    throw new ServiceError('invalid_checkpoint', `${fileName} has no 'weight_map', expected tensor names and shards`);
  }
  const shardOf = new Map<string, string>();
  for (const [name, shard] of Object.entries(weightMap)) {
    const isPlain = typeof shard === 'string' && PLAIN_NAME.test(shard) && !shard.startsWith('..');
    if (!isPlain || !shard.endsWith(extension) || shard.length === extension.length) {
      throw new ServiceError(
        'invalid_checkpoint',
        `${fileName}: tensor '${name}' is in ${JSON.stringify(shard)}, expected the plain name of a ${extension} file`,
      );
    }
    shardOf.set(name, shard);
  }
  return shardOf;
}
