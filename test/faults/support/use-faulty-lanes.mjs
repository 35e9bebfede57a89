// For `node --import`, before the server's own code: its inference processes are then started from faulty-lane-main.mjs, which
// does the same but for the faults that the test has asked for.
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';

const FAULTY_LANE_MAIN = fileURLToPath(new URL('./faulty-lane-main.mjs', import.meta.url));
const { spawn } = childProcess;

childProcess.spawn = (command, args, options) => {
  if (!/[/\\]lane-main\.js$/.test(args?.[0] ?? '')) return spawn(command, args, options);
  const env = { ...options.env, FAULTS_FOLDER: process.env.FAULTS_FOLDER };
  return spawn(command, [FAULTY_LANE_MAIN, ...args.slice(1)], { ...options, env });
};
syncBuiltinESMExports();
