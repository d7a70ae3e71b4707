import { redact } from './redaction.ts';

/** The client of a request. */
export interface RequestClient {
  /** The client address as throttle and events know it: an IPv4 address or an IPv6 /64. */
  readonly address: string;
  /** The `User-Agent` that the client sent. */
  readonly userAgent: string | undefined;
}

/** Where a request came from, as events and tickets keep it. */
export interface RequestOrigin {
  /** The client address. */
  readonly from: string;
  /**
   * The `User-Agent`: at most 200 characters, without control characters, with secrets masked by their shape. Undefined if there
   * was none. Clients name their program themselves, so the name may be false.
   */
  readonly program: string | undefined;
}

/** The most characters that are kept of a `User-Agent`. */
const MOST_OF_PROGRAM = 200;

/** Where a request of this client came from. A control character could change what a terminal shows. */
export function requestOriginOf({ address, userAgent = '' }: RequestClient): RequestOrigin {
  const program = redact(userAgent.replaceAll(/\p{Cc}/gu, ''))
    .trim()
    .slice(0, MOST_OF_PROGRAM);
  return { from: address, program: program || undefined };
}
