export type LogLevel = 'critical' | 'error' | 'warning' | 'info' | 'debug' | 'trace';

export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Never hand it texts, keys or whole inputs. */
export interface Logger {
  error(message: string, fields?: LogFields): void;
  warning(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
}
