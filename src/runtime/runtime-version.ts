import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ServiceError } from '../contracts/errors.ts';

/** Version of the installed ONNX Runtime package, from its package.json: the library itself is not loaded. */
export function runtimeVersion(): string {
  const filePath = createRequire(import.meta.url).resolve('onnxruntime-node/package.json');
  const { version } = JSON.parse(readFileSync(filePath, 'utf8')) as { version?: unknown };
  if (typeof version === 'string') return version;
  throw new ServiceError('internal_error', 'the package.json of onnxruntime-node has no version');
}
