import type { BrowserCookie, Caller } from '../answer.ts';
import type { BrowserContext } from '../browser-context.ts';
import type { HeldTicket, KeptTicket } from '../domain/ticket.ts';
import { seeOther } from './page.ts';

/** The page where users prove again who they are. */
export const PROVE = '/portal/account/prove';

/** Milliseconds for which a proof counts: a sign-in, or the right password on that page (`people.md` section 21). */
const PROOF_LIFETIME = 10 * 60_000;

/** The purpose of the sealed text, and the name of its cookie. */
const PROOF = 'proof';

/** The part of a page's context that a proof needs. */
interface ProvedContext {
  readonly caller: Caller;
  readonly browser: BrowserContext | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The ticket of the browser: a page takes no other credential. */
const ticketOf = ({ caller }: ProvedContext): KeptTicket => (caller.held as HeldTicket).ticket;

/**
 * Whether the user has proved within the last 10 minutes who it is: by the sign-in that gave this ticket, or later in the same
 * browser with the same ticket.
 */
export function provedRecently(context: ProvedContext): boolean {
  const { digest, issuedAt } = ticketOf(context);
  if (context.now - issuedAt < PROOF_LIFETIME) return true;
  const browser = context.browser as BrowserContext;
  const sealed = browser.cookie(PROOF);
  return sealed !== undefined && browser.unseal(PROOF, sealed)?.ticket === digest;
}

/** The cookie of a proof that the user has just given. It counts for this ticket alone. */
export function proofCookie(context: ProvedContext): BrowserCookie {
  const { digest } = ticketOf(context);
  const browser = context.browser as BrowserContext;
  return {
    name: PROOF,
    value: browser.seal(PROOF, { ticket: digest }, PROOF_LIFETIME),
    maxAge: PROOF_LIFETIME / 1_000,
  };
}

/** Leads to the page where users prove who they are, and from there to `back`, an address on this host. */
export const proveFirst = (back: string) => seeOther(`${PROVE}?${new URLSearchParams({ return: back })}`);
