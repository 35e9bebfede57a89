import { broadcast } from './broadcast.ts';
import { invalidSetting } from './invalid-setting.ts';
import type { ParsedValue } from './parse-value.ts';
import type { ConfigValues, Environment, FlagValues } from './read-option.ts';
import { isSet, NO_CONFIG, readOption } from './read-option.ts';
import { SETTINGS } from './schema.ts';
import type { ModelSettings, ServeSettings } from './serve-settings.ts';
import { defaultServedModelName } from './served-model-name.ts';
import { environmentNameOf, flagOf, isList } from './setting-entry.ts';

/**
 * Settings from the command line, the environment and a configuration file, in this order of precedence, then defaults.
 * The number of model ids decides how many models there are; ids from elsewhere make the file's list of models void.
 * Pure; throws `invalid_settings` with the flag or environment name as `param`.
 */
export function parseSettings(
  flags: FlagValues,
  environment: Environment,
  file: ConfigValues = NO_CONFIG,
): ServeSettings {
  const hasOwnIds =
    flags[SETTINGS.modelId.option] !== undefined ||
    isSet(SETTINGS.modelId, environment[environmentNameOf(SETTINGS.modelId)]);
  const config = hasOwnIds ? { ...file, models: undefined } : file;
  const modelCount = readOption(SETTINGS.modelId, flags, environment, config).values.length;
  const server: Record<string, ParsedValue | readonly ParsedValue[]> = {};
  const models: Record<string, ParsedValue>[] = Array.from({ length: modelCount }, () => ({}));
  for (const [name, entry] of Object.entries(SETTINGS)) {
    const { values, source } = readOption(entry, flags, environment, config);
    if (isList(entry)) {
      // An empty flag switches off what the environment says.
      server[name] = values.filter((value) => value !== undefined);
      continue;
    }
    if (entry.scope === 'server') {
      server[name] = values[0];
      continue;
    }
    const perModel = broadcast(values, modelCount, source);
    for (const [index, model] of models.entries()) model[name] = perModel[index];
  }
  // The schema types the values that `readOption` made from it; this is where they get their names.
  const typed = { ...server, models } as unknown as ServeSettings;
  for (const model of typed.models) refuseContradiction(model);
  return { ...typed, models: withUniqueNames(typed.models) };
}

function refuseContradiction({ modelId, strictDtype, forceDtype }: ModelSettings): void {
  if (!strictDtype || !forceDtype) return;
  const [strict, force] = [flagOf(SETTINGS.strictDtype), flagOf(SETTINGS.forceDtype)];
  throw invalidSetting(force, `expected one of ${strict} and ${force}, got both for '${modelId}'`);
}

function withUniqueNames(models: readonly ModelSettings[]): ModelSettings[] {
  const owners = new Map<string, string>();
  return models.map((model) => {
    const servedModelName = model.servedModelName ?? defaultServedModelName(model.modelId);
    const owner = owners.get(servedModelName);
    if (owner !== undefined) {
      throw invalidSetting(
        flagOf(SETTINGS.servedModelName),
        `expected a different name for each model, got '${servedModelName}' for '${owner}' and for '${model.modelId}'`,
      );
    }
    owners.set(servedModelName, model.modelId);
    return { ...model, servedModelName };
  });
}
