import type { ErrorCode } from './errors.ts';
import type { Period, RequestWork } from './request-work.ts';

/** A request of which the last byte has been sent, or whose client has gone. */
export interface FinishedRequest extends Period {
  readonly id: string;
  readonly method: string;
  /** The pattern of its route; `undefined` when no route took it. Never its path: clients choose that. */
  readonly route: string | undefined;
  /** Name of the client's API key, where it had one. */
  readonly key: string | undefined;
  /** Of the reply; 499 where the client has gone before it was complete. */
  readonly status: number;
  /** Why it was refused or failed. */
  readonly error: ErrorCode | undefined;
  /** Of the bodies, as they were announced; `undefined` where they were not. */
  readonly requestBytes: number | undefined;
  readonly replyBytes: number | undefined;
  /** The headers `traceparent` and `tracestate` as they came. */
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  readonly work: RequestWork;
}

/** Is told of every request once it is over. Must not throw. */
export type RequestObserver = (request: FinishedRequest) => void;
