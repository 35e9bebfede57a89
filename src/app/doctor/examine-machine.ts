import os from 'node:os';
import { bytesText } from '../../observability/bytes-text.ts';
import { describeMachine, type Machine } from '../../runtime/machine.ts';
import { type Examination, type Finding, ok, problem, warning } from './finding.ts';

/** What a small model with its inference process needs, twice: bge-small in float32 takes 0.4 GB. */
const COMFORTABLE_BYTES = 1e9;

/** Platforms for which ONNX Runtime's package has binaries. */
const PLATFORMS = ['linux-x64', 'linux-arm64', 'win32-x64', 'win32-arm64', 'darwin-arm64'];

export const examineMachine: Examination = async () => {
  const machine = describeMachine();
  return [platform(), ...cpu(machine), memory(machine)];
};

function platform(): Finding {
  const name = `${process.platform}-${process.arch}`;
  const isMusl = process.platform === 'linux' && !hasGlibc();
  const found = `Node.js ${process.versions.node} on ${name}${isMusl ? ' with musl' : ''}`;
  if (isMusl) return problem('Platform', found, 'ONNX Runtime needs glibc: use a Debian or Ubuntu image, not Alpine');
  if (!PLATFORMS.includes(name)) return problem('Platform', found, `expected one of ${PLATFORMS.join(', ')}`);
  return ok('Platform', found);
}

function hasGlibc(): boolean {
  const report: unknown = process.report.getReport();
  const header = typeof report === 'object' && report !== null && 'header' in report ? report.header : undefined;
  return typeof header === 'object' && header !== null && 'glibcVersionRuntime' in header;
}

function cpu({ cpuAbilities, threads }: Machine): Finding[] {
  const cores = os.availableParallelism();
  const model = os.cpus()[0]?.model.trim() ?? 'unknown';
  const abilities = cpuAbilities.length === 0 ? 'abilities not known' : cpuAbilities.join(' ');
  const findings = [ok('CPU', `${model}: ${abilities}`)];
  if (process.arch === 'x64' && cpuAbilities.length > 0 && !cpuAbilities.includes('avx2')) {
    findings.push(
      warning(
        'CPU',
        'no AVX2',
        'models run, several times slower; a virtual machine may hide it: pass the CPU through',
      ),
    );
  }
  const limited = threads < cores ? `, held to ${threads} by a limit of the container` : '';
  findings.push(ok('Threads', `${cores} cores for this process${limited}`));
  return findings;
}

function memory({ memoryBytes }: Machine): Finding {
  const free = Math.min(os.freemem(), memoryBytes);
  const held = memoryBytes < os.totalmem() ? ' (the limit of the container)' : '';
  const found = `${bytesText(memoryBytes)}${held}, ${bytesText(free)} free`;
  if (memoryBytes >= COMFORTABLE_BYTES) return ok('Memory', found);
  return warning('Memory', found, `a small model wants ${bytesText(COMFORTABLE_BYTES)}; raise the limit`);
}
