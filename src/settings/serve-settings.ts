import type { SETTINGS } from './schema.ts';
import type { SettingEntry, SettingValue } from './setting-entry.ts';

type Schema = typeof SETTINGS;

type ValuesOf<Scope extends SettingEntry['scope']> = {
  readonly [Name in keyof Schema as Schema[Name]['scope'] extends Scope ? Name : never]: SettingValue<Schema[Name]>;
};

/** One model to serve: `modelId`, `batchSize`, `dtype`, `device`, `engine`, ... as the schema types them. */
export interface ModelSettings extends ValuesOf<'model'> {
  /** Unique among the models. */
  readonly servedModelName: string;
}

/** What `serve` runs on: `host`, `port`, `apiKey`, `logLevel`, `maxBatchTokens`, ... as the schema types them. */
export interface ServeSettings extends ValuesOf<'server'> {
  /** At least one, in the order in which they were given. */
  readonly models: readonly ModelSettings[];
}
