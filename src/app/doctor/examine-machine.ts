import { readFileSync } from 'node:fs';
import os from 'node:os';
import { bytesText } from '../../observability/bytes-text.ts';
import { cgroupAndParents, parseCgroupPath } from '../../runtime/cpu-quota.ts';
import { describeMachine } from '../../runtime/machine.ts';
import { type Examination, type Finding, ok, problem, warning } from './finding.ts';

/** What a small model with its inference process needs, twice: bge-small in float32 takes 0.4 GB. */
const COMFORTABLE_BYTES = 1e9;

/** Platforms for which ONNX Runtime's package has binaries. */
const PLATFORMS = ['linux-x64', 'linux-arm64', 'win32-x64', 'win32-arm64', 'darwin-arm64'];

export const examineMachine: Examination = async () => [platform(), ...cpu(), memory()];

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

function cpu(): Finding[] {
  const { cpuAbilities, threads } = describeMachine();
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

function memory(): Finding {
  const limits = memoryLimits();
  const total = Math.min(os.totalmem(), ...limits);
  const free = Math.min(os.freemem(), total);
  const held = limits.some((limit) => limit < os.totalmem()) ? ' (the limit of the container)' : '';
  const found = `${bytesText(total)}${held}, ${bytesText(free)} free`;
  if (total >= COMFORTABLE_BYTES) return ok('Memory', found);
  return warning('Memory', found, `a small model wants ${bytesText(COMFORTABLE_BYTES)}; raise the limit`);
}

/** Of this process's control group and those above it. */
function memoryLimits(): number[] {
  const cgroupPath = parseCgroupPath(readIfThere('/proc/self/cgroup'));
  if (cgroupPath === undefined) return [];
  return cgroupAndParents(cgroupPath)
    .map((group) => Number(readIfThere(`/sys/fs/cgroup${group}/memory.max`).trim() || 'none'))
    .filter((bytes) => bytes > 0);
}

function readIfThere(filePath: string): string {
  try {
    return readFileSync(filePath, 'utf8');
  } catch {
    return '';
  }
}
