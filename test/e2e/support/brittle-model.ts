import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const GOLDEN = fileURLToPath(new URL('../../golden/public/bert-cls-norm/model', import.meta.url));

interface HeaderEntry {
  readonly shape?: readonly number[];
  readonly data_offsets?: readonly [number, number];
}

/**
 * Makes `model` a folder of a model whose attention is so sharp that the least rounding sends it elsewhere: its int8 graph
 * fails every check. Returns the folder.
 */
export function brittleModel(model: string): string {
  cpSync(GOLDEN, model, { recursive: true, dereference: true });
  const file = path.join(model, 'model.safetensors');
  const bytes = readFileSync(file);
  const headerBytes = Number(bytes.readBigUInt64LE(0));
  const header: Record<string, HeaderEntry> = JSON.parse(bytes.subarray(8, 8 + headerBytes).toString('utf8'));
  for (const [name, { shape, data_offsets: offsets }] of Object.entries(header)) {
    if (shape?.length !== 2 || offsets === undefined || !name.includes('encoder.layer')) continue;
    for (let at = 8 + headerBytes + offsets[0]; at < 8 + headerBytes + offsets[1]; at += 4) {
      bytes.writeFloatLE(bytes.readFloatLE(at) * 40, at);
    }
  }
  writeFileSync(file, bytes);
  return model;
}
