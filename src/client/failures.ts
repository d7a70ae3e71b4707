import type { Code } from './shapes.ts';

interface RefusedAnswer {
  readonly code: Code;
  readonly status: number;
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;
}

/** The server said no. The message is the server's sentence, for people. Programs decide by `code` or `status`. */
export class Refused extends Error {
  override name = 'Refused';
  readonly code: Code;
  readonly status: number;
  /** Seconds to wait before the next try, if the server names them. An earlier one is refused too. */
  readonly retryAfter: number | undefined;
  /** The id of the request in the server's log. */
  readonly requestId: string | undefined;

  constructor(message: string, { code, status, retryAfter, requestId }: RefusedAnswer) {
    super(message);
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
    this.requestId = requestId;
  }
}

/** No answer came, so it is not known whether the call was carried out. `cause` is the platform's error. */
export class Unreachable extends Error {
  override name = 'Unreachable';
}

/** The answer is not of this API: another service listens there, or stands in between. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}
