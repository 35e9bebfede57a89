// A server's process in miniature: opens a lane on the fake session, says its process id, and waits to be killed.
import { fileURLToPath } from 'node:url';
import { startLane } from '../../../dist/lanes/start-lane.js';

const [graphPath, runName] = process.argv.slice(2);
const quiet = { error() {}, warning() {}, info() {}, debug() {} };
const lane = startLane({
  compiled: { graphPath, architecture: 'fake' },
  threads: 1,
  laneMain: fileURLToPath(new URL('./fake-lane-main.mjs', import.meta.url)),
  logger: quiet,
});
if (graphPath === 'good') await lane.whenReady();
if (runName !== undefined) void lane.run([{ name: runName, dims: [1], data: Int32Array.of(1) }]);
process.stdout.write(`${lane.pid}\n`);
