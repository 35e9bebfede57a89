/** The library's public surface: start the service from a program, with the settings of the command line. */
export type { RunningService } from './app/start-service.ts';
export { startService } from './app/start-service.ts';
export type { ErrorCode } from './contracts/errors.ts';
export { ServiceError } from './contracts/errors.ts';
export { parseSettings } from './settings/parse-settings.ts';
export type { ModelSettings, ServeSettings } from './settings/serve-settings.ts';
