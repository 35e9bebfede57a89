import { ServiceError } from '../contracts/errors.ts';
import { errorCodeOf } from './error-code-of.ts';

/** A reply of the hub that is not the one that was asked for. */
export interface HubRefusal {
  readonly status: number;
  /** `x-error-code`: `RepoNotFound`, `GatedRepo`, `RevisionNotFound`, `EntryNotFound`. */
  readonly errorCode: string | undefined;
  readonly errorMessage: string | undefined;
}

export interface HubSubject {
  readonly id: string;
  readonly revision: string;
  readonly endpoint: string;
  readonly hasToken: boolean;
}

/** A failed download. `unreachable`: the hub cannot be had, so that a copy may stand in; mostly it can be later. */
export class HubError extends ServiceError {
  readonly unreachable: boolean;

  constructor(message: string, unreachable: boolean, options: { cause?: unknown; canPass?: boolean } = {}) {
    super('model_unavailable', message, { canPass: unreachable, ...options });
    this.unreachable = unreachable;
  }
}

/** Whether another try may succeed. */
export function isTemporaryStatus(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** Says what a reply means for the user and what to do about it. */
export function describeRefusal(refusal: HubRefusal, { id, revision, endpoint, hasToken }: HubSubject): HubError {
  const { status, errorCode, errorMessage = '' } = refusal;
  const said = `${endpoint} answered ${status}`;
  if (isTemporaryStatus(status)) {
    const advice = status === 429 ? 'too many requests; wait, or set HF_TOKEN for a higher limit' : 'try again later';
    return new HubError(`model '${id}': ${said}: ${advice}`, true);
  }
  if (errorCode === 'GatedRepo' || status === 403) {
    const how = hasToken
      ? 'the account of HF_TOKEN has no access; ask for it on that page'
      : 'ask for access on that page, then set HF_TOKEN to a token of that account';
    return new HubError(`model '${id}' is gated (${said}): see ${endpoint}/${id}; ${how}`, false);
  }
  if (status === 401 && hasToken && /invalid (?:credentials|user|token)/i.test(errorMessage)) {
    return new HubError(`model '${id}': ${said}: the token is not valid; renew HF_TOKEN or the token file`, false);
  }
  if (errorCode === 'RevisionNotFound') {
    return new HubError(
      `model '${id}': expected revision '${revision}', got ${said}: there is none of that name`,
      false,
    );
  }
  if (status === 401 || status === 404) {
    const hint = hasToken ? 'or the account of HF_TOKEN may not see it' : 'or it is private and needs HF_TOKEN';
    return new HubError(`model '${id}': ${said}: there is no such repository, ${hint}; check the spelling`, false);
  }
  return new HubError(`model '${id}': expected a description of the repository, got ${said}`, false);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name is not known: no network, or a wrong HF_ENDPOINT',
  EAI_AGAIN: 'the host name cannot be looked up: no network?',
  ECONNREFUSED: 'the connection is refused',
  ENETUNREACH: 'there is no network',
  EHOSTUNREACH: 'there is no way to that host',
  UND_ERR_CONNECT_TIMEOUT: 'no answer: a firewall, or a proxy that is not in HTTPS_PROXY?',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the transfer stood still',
  UND_ERR_SOCKET: 'the connection was cut',
  ECONNRESET: 'the connection was cut',
};

/** A request that got no reply, or lost it half way. */
export function describeConnectionFailure(error: unknown, { id, endpoint }: HubSubject): HubError {
  const code = errorCodeOf(error);
  const reason = REASONS[code] ?? (error instanceof Error ? `${code}: ${error.message}` : code);
  return new HubError(
    `model '${id}': ${endpoint} cannot be reached (${reason}). Without network, put the model into the cache ` +
      'elsewhere, or give a local folder',
    true,
    { cause: error },
  );
}
