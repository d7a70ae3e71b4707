import { hash, randomBytes } from 'node:crypto';
import type { BrowserCookie } from '../../core/answer.ts';
import type { BrowserContext } from '../../core/browser-context.ts';
import { type Refusal, refuse } from '../../core/domain/refusal.ts';
import type { Digest } from '../../core/domain/ticket.ts';

/** Where sign-ins are handed over from, and to which hosts. */
interface HandOver {
  /** The origin of the portal. */
  readonly portal: string;
  readonly hosts: readonly string[];
}

declare module '../../core/browser-context.ts' {
  interface BrowserTools {
    /** Missing if no other host gets a sign-in. */
    readonly handOver?: HandOver;
  }
}

/** What a browser keeps on a host of another domain until it is back from the portal. */
interface Departure {
  readonly nonce: string;
  /** The path to which it wants to go. */
  readonly back: string;
}

/** What the portal hands over, sealed. It counts on this host alone, in the browser whose nonce has this digest, and once. */
export interface HandedOver {
  readonly ticket: Digest;
  readonly host: string;
  readonly challenge: string;
}

/** The beginning of the cookie's name, and the purposes for which cookie and code are sealed. */
const DEPARTURE = 'hand-over';
const CODE = 'hand-over-code';
/** Milliseconds for the sign-in at the portal, and for the way back from there. */
const DEPARTURE_LIFETIME = 10 * 60_000;
const CODE_LIFETIME = 30_000;

type OwnBrowser = Omit<BrowserContext, 'run'>;

/** Each departure has a cookie of its own: a browser may have several tabs on the way. */
const cookieNameOf = (challenge: string) => `${DEPARTURE}-${challenge.slice(0, 8)}`;

const challengeOf = (nonce: string) => hash('sha256', nonce, 'base64url');

/** The host that the browser asked, without the usual port. */
export const hostOf = ({ origin }: Pick<BrowserContext, 'origin'>): string => new URL(origin).host;

/** Where sign-ins are handed over, if this browser asked the portal, or else one of these hosts; otherwise undefined. */
export function handOverAt(browser: OwnBrowser, at: 'portal' | 'host'): HandOver | undefined {
  const { handOver, origin } = browser;
  if (handOver === undefined) return undefined;
  const isAtPortal = new URL(handOver.portal).origin === new URL(origin).origin;
  const isThere = at === 'portal' ? isAtPortal : !isAtPortal && handOver.hosts.includes(hostOf(browser));
  return isThere ? handOver : undefined;
}

/** Begins a hand-over to this browser: the digest of a new nonce for the portal, and the cookie that keeps the nonce. */
export function depart(browser: OwnBrowser, back: string): { challenge: string; cookie: BrowserCookie } {
  const nonce = randomBytes(32).toString('base64url');
  const value = browser.seal(DEPARTURE, { nonce, back } satisfies Departure, DEPARTURE_LIFETIME);
  const challenge = challengeOf(nonce);
  return { challenge, cookie: { name: cookieNameOf(challenge), value, maxAge: DEPARTURE_LIFETIME / 1_000 } };
}

/** Has the browser forget the departure with this challenge, which {@link arrival} has found to be its own. */
export const arrived = ({ challenge }: Pick<HandedOver, 'challenge'>): BrowserCookie => ({
  name: cookieNameOf(challenge),
  value: 'none',
});

/** The code with which the portal sends the browser back. */
export const codeFor = (browser: OwnBrowser, handedOver: HandedOver): string =>
  browser.seal(CODE, handedOver, CODE_LIFETIME);

/** What a code hands over; undefined for one that the portal did not make within the last seconds. */
export const handedOverBy = (browser: OwnBrowser, code: string): HandedOver | undefined =>
  browser.unseal(CODE, code) as HandedOver | undefined;

/** What is handed over to this browser on this host, and where it wants to go; or why nothing is. */
export function arrival(
  browser: OwnBrowser,
  handedOver: HandedOver | undefined,
): (HandedOver & Pick<Departure, 'back'>) | Refusal<'sign_in_outdated'> {
  const sealed = handedOver && browser.cookie(cookieNameOf(handedOver.challenge));
  const departure = sealed && (browser.unseal(DEPARTURE, sealed) as Departure | undefined);
  if (!departure || handedOver === undefined || handedOver.host !== hostOf(browser))
    return refuse('sign_in_outdated', { reason: 'no sign-in is handed over to this host now' });
  if (handedOver.challenge !== challengeOf(departure.nonce))
    return refuse('sign_in_outdated', { reason: 'the sign-in is handed over to another browser' });
  return { ...handedOver, back: departure.back };
}
