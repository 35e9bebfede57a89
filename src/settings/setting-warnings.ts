import { nearestName } from './nearest-name.ts';
import { writtenChoice } from './parse-value.ts';
import type { ConfigValues, Environment, FlagValues } from './read-option.ts';
import { isSet, NO_CONFIG, readOption } from './read-option.ts';
import { SETTING_ENTRIES } from './schema.ts';
import { environmentNameOf } from './setting-entry.ts';

const PREFIX = 'INFINITY_';

/** Names that are read elsewhere, or that the original knows and that have nothing to switch here. */
const OTHER_NAMES = new Set([
  'INFINITY_HOME',
  'INFINITY_ANONYMOUS_USAGE_STATS',
  'INFINITY_CALIBRATION_DATASET_URL',
  'INFINITY_DISABLE_OPTIMUM',
]);

/** What Kubernetes and Docker put into the environment beside a service named `infinity`. */
const SERVICE_LINKS = /^INFINITY_(?:SERVICE_|PORT_\d|NAME$|ENV_)/;

/** One line for each setting that was given and changes nothing, and for each `INFINITY_*` name that nobody reads. */
export function settingWarnings(
  flags: FlagValues,
  environment: Environment,
  config: ConfigValues = NO_CONFIG,
): string[] {
  return [
    ...ignoredSettings(flags, environment, config),
    ...replacedChoices(flags, environment, config),
    ...unknownNames(environment),
  ];
}

function ignoredSettings(flags: FlagValues, environment: Environment, config: ConfigValues): string[] {
  return SETTING_ENTRIES.flatMap((entry) => {
    if (entry.ignored === undefined) return [];
    const { values, source } = readOption(entry, flags, environment, config);
    const unchanged = readOption(entry, {}, {}).values;
    return values.every((value) => unchanged.includes(value)) ? [] : [`${source} changes nothing: ${entry.ignored}.`];
  });
}

function replacedChoices(flags: FlagValues, environment: Environment, config: ConfigValues): string[] {
  return SETTING_ENTRIES.flatMap((entry) => {
    if (entry.kind !== 'choice' || entry.replaced === undefined) return [];
    const { texts, source } = readOption(entry, flags, environment, config);
    const written = new Set(texts.map(writtenChoice));
    return Object.entries(entry.replaced).flatMap(([choice, what]) =>
      written.has(choice) ? [`${source}: ${choice} ${what}.`] : [],
    );
  });
}

function unknownNames(environment: Environment): string[] {
  const entries = new Map(SETTING_ENTRIES.map((entry) => [environmentNameOf(entry), entry]));
  const known = [...entries.keys(), ...OTHER_NAMES].map((name) => name.slice(PREFIX.length));
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !OTHER_NAMES.has(name) && !SERVICE_LINKS.test(name))
    .flatMap((name) => {
      const entry = entries.get(name);
      const text = environment[name];
      if (entry !== undefined) {
        if (text === undefined || text === '' || isSet(entry, text)) return [];
        return [
          `${name} is '${text}', which Kubernetes sets for a service named 'infinity'; it is not used as the port.`,
        ];
      }
      const nearest = nearestName(name.slice(PREFIX.length), known);
      return [`${name} is not a setting${nearest === undefined ? '' : `; did you mean ${PREFIX}${nearest}?`}`];
    });
}
