import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { type Examination, type Finding, ok, problem } from './finding.ts';

const LOAD_TIMEOUT_MS = 60_000;

const MODULES = [
  { name: 'onnxruntime-node', subject: 'ONNX Runtime' },
  { name: 'tokenizers', subject: 'Tokenizers' },
] as const;

/** Loads the native libraries, each in a process of its own: one that does not fit the machine may end its process. */
export const examineNativeModules: Examination = () => Promise.all(MODULES.map(examineModule));

async function examineModule({ name, subject }: (typeof MODULES)[number]): Promise<Finding> {
  const file = createRequire(import.meta.url).resolve(name);
  try {
    await promisify(execFile)(process.execPath, ['-e', `require(${JSON.stringify(file)})`], {
      timeout: LOAD_TIMEOUT_MS,
    });
    return ok(subject, `${name} loads`);
  } catch (error) {
    const advice = 'install again with npm ci on this machine; in a container use the image of this project';
    return problem(subject, `${name} does not load: ${reasonOf(error)}`, advice);
  }
}

/** The line that names the error, of what the process has printed. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return (lines.find((line) => /error/i.test(line)) ?? lines[0] ?? 'it ended without a word').trim().slice(0, 300);
}
