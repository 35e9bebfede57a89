// Files of weights come from whoever made the model.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exportOnnx } from '../../test/fakes/onnx-export.ts';
import { safetensorsBytes } from '../../test/fakes/safetensors-bytes.ts';
import { temporaryFolder } from '../../test/fakes/temporary-folder.ts';
import { PICKLE, pickleBytes, stateDict, zipBytes } from '../../test/fakes/torch-bytes.ts';
import { anyBytes, anyText, damaged, damagedText, FEW_RUNS, holdsForAll, RUNS } from '../../test/fakes/untrusted.ts';
import type { Checkpoint } from './checkpoint.ts';
import { readOnnxFile } from './onnx/read-onnx-file.ts';
import { parseShardIndex } from './parse-shard-index.ts';
import { openSafetensors } from './safetensors/open-safetensors.ts';
import { openTorchCheckpoint } from './torch-checkpoint/open-torch-checkpoint.ts';
import { PickleError } from './torch-checkpoint/pickle-cursor.ts';
import { readPickle } from './torch-checkpoint/read-pickle.ts';

/** Opens and reads all that the file says is in it. */
async function readAll(open: (filePath: string) => Promise<Checkpoint>, filePath: string): Promise<void> {
  const checkpoint = await open(filePath);
  try {
    for (const tensor of checkpoint.tensors.values()) for (const _ of tensor.chunks()) break;
  } finally {
    await checkpoint.close();
  }
}

describe('safetensors', () => {
  const valid = safetensorsBytes({
    a: { dtype: 'F32', shape: [2, 3], data: new Uint8Array(24) },
    'b.c': { dtype: 'F16', shape: [4], data: new Uint8Array(8) },
  });

  test('a damaged or arbitrary file is read or refused', async () => {
    const filePath = path.join(temporaryFolder(), 'model.safetensors');
    await holdsForAll(fc.oneof(damaged(valid), anyBytes), async (bytes) => {
      writeFileSync(filePath, bytes);
      await readAll((file) => openSafetensors(file, 'model.safetensors'), filePath);
    });
  });

  test.each([2n ** 53n, 2n ** 63n, 4_000_000_000n, 100_000_001n])(
    'a header that is said to have %d bytes is refused, and not made room for',
    async (length) => {
      const filePath = path.join(temporaryFolder(), 'model.safetensors');
      const bytes = Buffer.from(valid);
      bytes.writeBigUInt64LE(length);
      writeFileSync(filePath, bytes);
      const before = process.memoryUsage().rss;
      await expect(openSafetensors(filePath, 'model.safetensors')).rejects.toMatchObject({
        code: 'invalid_checkpoint',
      });
      expect(process.memoryUsage().rss - before).toBeLessThan(50e6);
    },
  );
});

describe('PyTorch checkpoints', () => {
  const pickle = stateDict({ a: { storage: 'FloatStorage', key: '0', elements: 6, dims: [2, 3], strides: [3, 1] } });
  const valid = zipBytes([
    { name: 'archive/data.pkl', content: pickle },
    { name: 'archive/byteorder', content: Buffer.from('little') },
    { name: 'archive/data/0', content: Buffer.alloc(24) },
    { name: 'archive/version', content: Buffer.from('3\n') },
  ]);

  test('a damaged or arbitrary file is read or refused', async () => {
    const filePath = path.join(temporaryFolder(), 'pytorch_model.bin');
    await holdsForAll(fc.oneof(damaged(valid), anyBytes), async (bytes) => {
      writeFileSync(filePath, bytes);
      await readAll((file) => openTorchCheckpoint(file, 'pytorch_model.bin'), filePath);
    });
  });

  test('a damaged or arbitrary pickle is read or refused, and nothing of it is run', async () => {
    const instructions = fc.array(
      fc.constantFrom(...Object.values(PICKLE).flatMap((each) => (each instanceof Buffer ? [each] : []))),
      {
        maxLength: 60,
      },
    );
    const pickles = fc.oneof(
      damaged(pickle),
      anyBytes,
      instructions.map((parts) => pickleBytes(...parts)),
    );
    const read = (bytes: Buffer) => {
      try {
        readPickle(bytes);
      } catch (error) {
        // Of its own, which the reader of the archive makes an error of the service.
        if (!(error instanceof PickleError)) throw error;
      }
    };
    await holdsForAll(pickles, read, RUNS * 5);
  });
});

test('a damaged or arbitrary index of shards is read or refused', async () => {
  const valid = JSON.stringify({
    metadata: { total_size: 8 },
    weight_map: { a: 'model-1.safetensors', b: 'model-2.safetensors' },
  });
  const texts = fc.oneof(damagedText(valid), anyText, fc.json());
  await holdsForAll(texts, (text) => void parseShardIndex('index.json', text, '.safetensors'), RUNS * 5);
});

test('a damaged or arbitrary ONNX file is read or refused', async () => {
  const folder = temporaryFolder();
  const filePath = path.join(folder, 'model.onnx');
  const golden = path.join(import.meta.dirname, '../../test/golden/public/bert-mean/model');
  await exportOnnx(golden, filePath);
  const valid = readFileSync(filePath);
  await holdsForAll(
    fc.oneof(damaged(valid), damaged(valid.subarray(0, 3000)), anyBytes),
    (bytes) => {
      writeFileSync(filePath, bytes);
      readOnnxFile(filePath, 'model.onnx');
    },
    FEW_RUNS,
  );
});
