import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { readHubEnvironment } from '../../hub/hub-environment.ts';
import { listCachedModels } from '../../hub/list-cached-models.ts';
import { bytesText } from '../../observability/bytes-text.ts';
import { preferredCacheRoot } from '../compile-cache/cache-root.ts';
import { type Examination, type Finding, ok, warning } from './finding.ts';

/** Less than this is not enough for most models. */
const LOW_DISK_BYTES = 2e9;

export const examineCaches: Examination = async (environment) => {
  const { cacheFolder } = readHubEnvironment(environment);
  const compiled = preferredCacheRoot(environment);
  const findings: Finding[] = [
    await examineFolder('Cache of models', cacheFolder, 'HF_HOME or HF_HUB_CACHE names another folder'),
  ];
  if (compiled === undefined) {
    const advice = 'graphs are compiled at each start; set INFINITY_HOME';
    findings.push(warning('Cache of graphs', 'no home folder', advice));
  } else {
    findings.push(await examineFolder('Cache of graphs', compiled, 'INFINITY_HOME names another folder'));
  }
  for (const { id, snapshots } of await listCachedModels(cacheFolder)) {
    const broken = snapshots.filter(({ problems }) => problems.length > 0);
    if (snapshots.length > 0 && broken.length === snapshots.length) {
      findings.push(
        warning(`Model ${id}`, broken.flatMap(({ problems }) => problems).join('; '), `infinity download ${id}`),
      );
    }
  }
  return findings;
};

async function examineFolder(subject: string, folder: string, elsewhere: string): Promise<Finding> {
  const existing = await nearestExisting(folder);
  try {
    await access(existing, constants.W_OK | constants.X_OK);
  } catch {
    return warning(subject, `${folder} cannot be written`, `what is there is used, nothing can be added; ${elsewhere}`);
  }
  const free = await statfs(existing).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => undefined,
  );
  const found = `${folder}${free === undefined ? '' : `, ${bytesText(free)} free`}`;
  if (free !== undefined && free < LOW_DISK_BYTES) return warning(subject, found, `make room, or ${elsewhere}`);
  return ok(subject, found);
}

async function nearestExisting(folder: string): Promise<string> {
  if (await stat(folder).catch(() => undefined)) return folder;
  const parent = path.dirname(folder);
  return parent === folder ? folder : nearestExisting(parent);
}
