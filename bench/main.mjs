// The benchmark: `npm run bench`. Prints a table, writes it as JSON and draws it. docs/benchmarks.md says how to read it.
import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { cellsOf } from './cells.mjs';
import { closeConnections } from './drive/post-json.mjs';
import { watchMemory } from './measure/watch-memory.mjs';
import { measureCell } from './measure-cell.mjs';
import { openContestants } from './open-contestants.mjs';
import { parseOptions, USAGE } from './options.mjs';
import { chart } from './report/chart.mjs';
import { HEAD, LEFT_COLUMNS, PEER_HEAD, rowsOf } from './report/result-rows.mjs';
import { SERVER_HEAD, serverRows } from './report/server-rows.mjs';
import { table } from './report/table.mjs';

/** @typedef {import('./measure-cell.mjs').CellResult} CellResult */

/** @param {import('./options.mjs').Options} options */
async function run(options) {
  const cells = cellsOf(options);
  const contestants = await openContestants(options);
  const { servers, bareRuns } = contestants;
  const pids = servers.flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  const stopWatching = watchMemory(pids);
  /** @type {CellResult[]} */
  const results = [];
  try {
    for (const [index, cell] of cells.entries()) {
      const result = await measureCell(cell, { ...options, servers, ...bareRunsFor(bareRuns.get(cell.task)) });
      results.push(result);
      // To stderr: stdout is the table alone.
      console.error(
        `${index + 1}/${cells.length} ${
          result.leftOut ??
          rowsOf(result)
            .map((row) => row.join('  '))
            .join('\n    ')
        }`,
      );
    }
  } finally {
    const peaks = await stopWatching();
    for (const server of servers) server.peakMb = peaks.get(server.pid ?? 0);
    closeConnections();
    await contestants.close();
  }
  return { results, servers };
}

/**
 * @template T
 * @param {T | undefined} bareRuns
 */
function bareRunsFor(bareRuns) {
  return bareRuns === undefined ? {} : { bareRuns };
}

function machine() {
  const [cpu] = os.cpus();
  return { cpu: cpu?.model ?? 'unknown', cores: os.availableParallelism(), node: process.version, load: os.loadavg() };
}

async function main() {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) {
    console.log(USAGE);
    return;
  }
  const before = machine();
  const { results, servers } = await run(options);
  const head = options.own && options.peer !== undefined ? [...HEAD, ...PEER_HEAD] : HEAD;
  const title = `tokens/s, ${options.own ? options.dtype : options.peer?.name}, ${before.cores} cores`;
  console.log(
    `${before.cpu}, ${before.cores} cores, Node.js ${before.node}, load ${before.load[0]?.toFixed(1)} before`,
  );
  console.log(
    `rounds of ${options.seconds} s, ${options.rounds} of them; ${options.dtype}, ${options.encoding} vectors\n`,
  );
  console.log(table(head, results.flatMap(rowsOf), LEFT_COLUMNS));
  console.log(`\n${table(SERVER_HEAD, serverRows(servers))}`);
  for (const { leftOut } of results) if (leftOut !== undefined) console.log(`left out: ${leftOut}`);

  mkdirSync(options.out, { recursive: true });
  const about = servers.map(({ name, readyMs, peakMb }) => ({ name, readyMs, peakMb }));
  const { peer, ...asked } = options;
  const json = { machine: before, options: { ...asked, peer: peer?.url }, servers: about, results };
  writeFileSync(path.join(options.out, 'results.json'), `${JSON.stringify(json, null, 2)}\n`);
  writeFileSync(path.join(options.out, 'chart.svg'), chart(results, title));
  console.log(`\n${path.join(options.out, 'results.json')} and chart.svg written`);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
