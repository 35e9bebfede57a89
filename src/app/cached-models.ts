import { bundledModels } from '../hub/bundled-models.ts';
import { readHubEnvironment } from '../hub/hub-environment.ts';
import { folderBytes, listCachedModels } from '../hub/list-cached-models.ts';
import { removeCachedModel } from '../hub/remove-cached-model.ts';
import { bytesText } from '../observability/bytes-text.ts';
import { preferredCompiledFolder } from './compile-cache/cache-root.ts';

const SHORT_COMMIT = 12;

/** What is on this machine: rows of text for `infinity models`. */
export async function describeCachedModels(environment: NodeJS.ProcessEnv): Promise<string[]> {
  const { cacheFolder } = readHubEnvironment(environment);
  const lines: string[] = [`Models in ${cacheFolder}`];
  const repositories = await listCachedModels(cacheFolder);
  if (repositories.length === 0) lines.push('  none');
  for (const { id, bytes, snapshots } of repositories) {
    lines.push(`  ${id}  ${bytesText(bytes)}`);
    for (const { commit, revisions, problems } of snapshots) {
      const names = revisions.length === 0 ? '' : ` (${revisions.join(', ')})`;
      const state = problems.length === 0 ? 'whole' : problems.join('; ');
      lines.push(`    ${commit.slice(0, SHORT_COMMIT)}${names}: ${state}`);
    }
  }
  lines.push('Bundled models');
  for (const { id, exact, path: folder } of await bundledModels()) {
    lines.push(`  ${id}  ${bytesText(await folderBytes(folder))}${exact ? '' : ' (derived)'}`);
  }
  const compiled = preferredCompiledFolder(environment);
  const bytes = compiled === undefined ? 0 : await folderBytes(compiled);
  lines.push(`Compiled graphs in ${compiled ?? 'no folder'}`, `  ${bytes === 0 ? 'none' : bytesText(bytes)}`);
  return lines;
}

/** Removes models from the hub's cache; resolves with a line for each. */
export async function removeModels(ids: readonly string[], environment: NodeJS.ProcessEnv): Promise<string[]> {
  const { cacheFolder } = readHubEnvironment(environment);
  const { signal } = new AbortController();
  const lines: string[] = [];
  for (const id of ids) lines.push(`Removed ${id}: ${bytesText(await removeCachedModel(cacheFolder, id, signal))}`);
  return lines;
}
