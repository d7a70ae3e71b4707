import type { Code } from './shapes.ts';

interface RefusedAnswer {
  readonly code: Code;
  readonly status: number;
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;
}

/** The server answered "no". Its message is the server's sentence, for people; programs decide by `code` or `status`. */
export class Refused extends Error {
  override name = 'Refused';
  readonly code: Code;
  readonly status: number;
  /** Seconds before which another try is refused as well, where the server says it. */
  readonly retryAfter: number | undefined;
  /** What the server's log knows this request by. */
  readonly requestId: string | undefined;

  constructor(message: string, { code, status, retryAfter, requestId }: RefusedAnswer) {
    super(message);
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
    this.requestId = requestId;
  }
}

/** No answer came. Whether the call was carried out is not known. `cause` is what the platform says. */
export class Unreachable extends Error {
  override name = 'Unreachable';
}

/** An answer came that is none of this API's: something else listens there, or stands in between. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}
