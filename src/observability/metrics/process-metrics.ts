import { readdir, readFile } from 'node:fs/promises';
import type { Registry } from 'prom-client';
import { counter, gauge, openCounter, openGauge } from './metric-definition.ts';
import { type ProcessFigures, readProcessTree } from './read-process.ts';

/** By the names that Prometheus' own clients give them. */
export const PROCESS_METRICS = {
  cpuSeconds: counter('process_cpu_seconds_total', "CPU time of the server's own process."),
  residentBytes: gauge('process_resident_memory_bytes', "Resident memory of the server's own process."),
  virtualBytes: gauge('process_virtual_memory_bytes', "Virtual memory of the server's own process. Linux only."),
  startTime: gauge('process_start_time_seconds', 'When the server was started, in Unix seconds.'),
  openFiles: gauge('process_open_fds', "Open files and connections of the server's own process. Linux only."),
  maxFiles: gauge('process_max_fds', 'How many it may open. Linux only.'),
  heapBytes: gauge('nodejs_heap_size_used_bytes', "JavaScript heap in use in the server's own process."),
  loopSeconds: counter(
    'infinity_event_loop_busy_seconds_total',
    "Time in which the server's event loop was not idle: near 1 a second, the server itself is the bottleneck.",
  ),
};

/** Of every process of the service. Linux only. `process` is `server`, `lane` (of a `model`), or `other`: a compilation. */
export const PROCESS_TREE_METRICS = {
  cpuSeconds: counter('infinity_process_cpu_seconds_total', 'CPU time, by kind of process. Linux only.', [
    'process',
    'model',
  ]),
  residentBytes: gauge('infinity_process_resident_bytes', 'Resident memory; shared pages count in each. Linux only.', [
    'process',
    'model',
  ]),
  proportionalBytes: gauge(
    'infinity_process_proportional_bytes',
    'Memory with shared pages divided among those who share them (PSS): the sum is what the service takes. Linux only.',
    ['process', 'model'],
  ),
};

export interface ProcessSource {
  readonly modelOfProcess: () => ReadonlyMap<number, string>;
}

/** Returns the call that brings them up to date. */
export function openProcessMetrics(registry: Registry, { modelOfProcess }: ProcessSource): () => Promise<void> {
  const updateServer = openServerMetrics(registry);
  const cpuSeconds = openCounter(registry, PROCESS_TREE_METRICS.cpuSeconds);
  const residentBytes = openGauge(registry, PROCESS_TREE_METRICS.residentBytes);
  const proportionalBytes = openGauge(registry, PROCESS_TREE_METRICS.proportionalBytes);
  /** CPU time that has been counted, of each process that lives. */
  let counted = new Map<string, number>();

  return async () => {
    const models = modelOfProcess();
    const [figures, files] = await Promise.all([readProcessTree(process.pid, models.keys()), readFileCounts()]);
    updateServer(
      figures.find(({ pid }) => pid === process.pid),
      files,
    );
    const living = new Map<string, number>();
    residentBytes.reset();
    proportionalBytes.reset();
    for (const each of figures) {
      const labels = labelsOf(each.pid, models);
      const key = `${each.pid} ${each.startTicks}`;
      const before = counted.get(key) ?? 0;
      // Two scrapes at once may end in the other order.
      const total = Math.max(before, each.cpuSeconds);
      living.set(key, total);
      cpuSeconds.inc(labels, total - before);
      residentBytes.inc(labels, each.residentBytes);
      if (each.proportionalBytes !== undefined) proportionalBytes.inc(labels, each.proportionalBytes);
    }
    counted = living;
  };
}

function labelsOf(pid: number, models: ReadonlyMap<number, string>) {
  if (pid === process.pid) return { process: 'server', model: '' };
  const model = models.get(pid);
  return model === undefined ? { process: 'other', model: '' } : { process: 'lane', model };
}

function openServerMetrics(registry: Registry) {
  const cpuSeconds = openCounter(registry, PROCESS_METRICS.cpuSeconds);
  const residentBytes = openGauge(registry, PROCESS_METRICS.residentBytes);
  const virtualBytes = openGauge(registry, PROCESS_METRICS.virtualBytes);
  const openFiles = openGauge(registry, PROCESS_METRICS.openFiles);
  const maxFiles = openGauge(registry, PROCESS_METRICS.maxFiles);
  const heapBytes = openGauge(registry, PROCESS_METRICS.heapBytes);
  const loopSeconds = openCounter(registry, PROCESS_METRICS.loopSeconds);
  openGauge(registry, PROCESS_METRICS.startTime).set(performance.timeOrigin / 1000);

  return (figures: ProcessFigures | undefined, files: FileCounts) => {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    cpuSeconds.reset();
    cpuSeconds.inc((user + system) / 1e6);
    residentBytes.set(rss);
    if (figures !== undefined) virtualBytes.set(figures.virtualBytes);
    if (files.open !== undefined) openFiles.set(files.open);
    if (files.most !== undefined) maxFiles.set(files.most);
    heapBytes.set(heapUsed);
    loopSeconds.reset();
    loopSeconds.inc(performance.eventLoopUtilization().active / 1000);
  };
}

interface FileCounts {
  readonly open: number | undefined;
  readonly most: number | undefined;
}

async function readFileCounts(): Promise<FileCounts> {
  const [files, limits] = await Promise.all([
    readdir('/proc/self/fd').catch(() => undefined),
    readFile('/proc/self/limits', 'utf8').catch(() => ''),
  ]);
  const most = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return { open: files?.length, most: most === undefined ? undefined : Number(most) };
}
