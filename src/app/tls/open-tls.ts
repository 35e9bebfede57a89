import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createSecureContext } from 'node:tls';
import { ServiceError } from '../../contracts/errors.ts';
import type { Logger } from '../../contracts/logger.ts';
import { renewIdentity, secureContextOf, type TlsIdentity } from '../../http/tls-server.ts';
import { invalidSetting } from '../../settings/invalid-setting.ts';
import { SETTINGS } from '../../settings/schema.ts';
import type { ServeSettings } from '../../settings/serve-settings.ts';
import type { SettingEntry } from '../../settings/setting-entry.ts';
import { flagOf } from '../../settings/setting-entry.ts';
import type { Reloadable } from '../reload-on-change.ts';

type TlsSettings = Pick<ServeSettings, 'sslCertfile' | 'sslKeyfile' | 'sslKeyfilePassword' | 'sslCaCerts'>;

export interface OpenTls {
  /** As the files were at the start; `undefined` where the server speaks plain HTTP. */
  readonly identity: TlsIdentity | undefined;
  /** Gives the server what is in the files now, each time that they change. */
  renewalOf(server: Server): Reloadable;
}

/** Throws `invalid_settings` when the files cannot be used. */
export function openTls(settings: TlsSettings, logger: Logger): OpenTls {
  const { sslCertfile, sslKeyfile, sslCaCerts } = settings;
  if (sslCertfile === undefined) {
    refuseWithoutCertificate(settings);
    return { identity: undefined, renewalOf: () => ({ filePaths: [], reload: () => undefined }) };
  }
  return {
    identity: readIdentity(settings, sslCertfile),
    renewalOf: (server) => ({
      filePaths: [sslCertfile, sslKeyfile, sslCaCerts].filter((filePath) => filePath !== undefined),
      reload() {
        try {
          const identity = readIdentity(settings, sslCertfile);
          renewIdentity(server, identity);
          logger.info(
            `TLS: the certificate was read again, it is valid to ${new X509Certificate(identity.cert).validTo}.`,
          );
        } catch (error) {
          const reason = error instanceof ServiceError ? error.message : 'it cannot be used';
          logger.error(`TLS: the certificate from before stays, ${reason}`);
        }
      },
    }),
  };
}

function refuseWithoutCertificate({ sslKeyfile, sslCaCerts }: TlsSettings): void {
  if (sslKeyfile === undefined && sslCaCerts === undefined) return;
  const given = flagOf(sslKeyfile === undefined ? SETTINGS.sslCaCerts : SETTINGS.sslKeyfile);
  throw invalidSetting(given, `expected ${flagOf(SETTINGS.sslCertfile)} beside it, got none`);
}

function readIdentity({ sslKeyfile, sslKeyfilePassword, sslCaCerts }: TlsSettings, certfile: string): TlsIdentity {
  const identity = {
    cert: readText(certfile, SETTINGS.sslCertfile),
    key: readText(sslKeyfile ?? certfile, sslKeyfile === undefined ? SETTINGS.sslCertfile : SETTINGS.sslKeyfile),
    passphrase: sslKeyfilePassword,
    clientAuthorities: sslCaCerts === undefined ? undefined : readText(sslCaCerts, SETTINGS.sslCaCerts),
  };
  try {
    createSecureContext(secureContextOf(identity));
    return identity;
  } catch (error) {
    const code = codeOf(error);
    throw invalidSetting(
      flagOf(SETTINGS.sslCertfile),
      `expected a certificate and its private key in PEM, got ${code}`,
    );
  }
}

function readText(filePath: string, entry: SettingEntry): string {
  try {
    return readFileSync(filePath, 'utf8');
  } catch (error) {
    throw invalidSetting(flagOf(entry), `expected a readable file, got ${codeOf(error)} for '${filePath}'`);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
