interface EntryBase {
  /** Kebab-case; the flag and the environment name follow from it. */
  readonly option: string;
  /** `model`: a list, one value for all models or one for each. `server`: a single value. */
  readonly scope: 'model' | 'server';
  /** Heading in the help and in the reference. */
  readonly group: 'Models' | 'Server' | 'Limits' | 'Lifecycle' | 'Vector cache' | 'Logging' | 'Compatibility';
  /** One sentence without a full stop. */
  readonly description: string;
  /** Why it changes nothing here, where it does not: a value other than the default is warned about once. */
  readonly ignored?: string;
}

export interface StringEntry extends EntryBase {
  readonly kind: 'string';
  /** What the help calls the value: `id`, `host`. */
  readonly placeholder: string;
  /**
   * A list only where `scope` is `model`. An empty string stands for an `undefined` or empty default and is refused
   * elsewhere.
   */
  readonly default: string | readonly string[] | undefined;
  /** What a value must match, and that in words. */
  readonly pattern?: { readonly matches: RegExp; readonly expected: string };
  /** The default in words, where it is `undefined`. */
  readonly defaultText?: string;
  /** Of the server: the flag may be repeated, the environment separates values by `;`. */
  readonly isList?: boolean;
  /** A path of an URL: it begins with `/`, or is empty to switch off what the default does. */
  readonly isUrlPath?: boolean;
}

export interface IntegerEntry extends EntryBase {
  readonly kind: 'integer';
  readonly default: number;
  readonly min: number;
  readonly max?: number;
}

export interface ChoiceEntry extends EntryBase {
  readonly kind: 'choice';
  /** A key of `choices`. */
  readonly default: string;
  /** What may be written (lower case) -> what it means. */
  readonly choices: Readonly<Record<string, string>>;
  /** Of choices that do not do what their name says: what happens instead, which a warning tells. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** What other versions of the server know, so that the message can say why it is refused. */
  readonly unsupported?: readonly string[];
}

export interface BooleanEntry extends EntryBase {
  readonly kind: 'boolean';
  readonly default: boolean;
}

export type SettingEntry = StringEntry | IntegerEntry | ChoiceEntry | BooleanEntry;

/** The type of one parsed value of an entry. */
export type SettingValue<Entry extends SettingEntry> = Entry extends IntegerEntry
  ? number
  : Entry extends BooleanEntry
    ? boolean
    : Entry extends ChoiceEntry
      ? Entry['choices'][keyof Entry['choices']]
      : Entry extends { readonly isList: true }
        ? readonly string[]
        : Entry['default'] extends undefined
          ? string | undefined
          : string;

/** Whether it takes several values. */
export function isRepeatable(entry: SettingEntry): boolean {
  return entry.scope === 'model' || isList(entry);
}

/** Whether it is a list of the server: of any length, not one value for each model. */
export function isList(entry: SettingEntry): boolean {
  return entry.kind === 'string' && entry.isList === true;
}

export function flagOf(entry: SettingEntry): string {
  return `--${entry.option}`;
}

export function environmentNameOf(entry: SettingEntry): string {
  return `INFINITY_${entry.option.replaceAll('-', '_').toUpperCase()}`;
}
