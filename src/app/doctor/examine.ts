import { examineCaches } from './examine-caches.ts';
import { examineCuda } from './examine-cuda.ts';
import { examineHub } from './examine-hub.ts';
import { examineMachine } from './examine-machine.ts';
import { examineNativeModules } from './examine-native-modules.ts';
import type { Examination, Finding } from './finding.ts';

/** One line for each side that is looked at. */
const EXAMINATIONS: readonly Examination[] = [
  examineMachine,
  examineNativeModules,
  examineCuda,
  examineCaches,
  examineHub,
];

/** Everything that `infinity doctor` looks at, in order. */
export async function examine(environment: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  return (await Promise.all(EXAMINATIONS.map((look) => look(environment)))).flat();
}
