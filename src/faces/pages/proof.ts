import type { BrowserCookie, Caller } from '../../core/answer.ts';
import type { BrowserContext } from '../../core/browser-context.ts';
import type { Digest, HeldTicket } from '../../core/domain/ticket.ts';
import type { ReadUnit } from '../../core/storage/store.ts';
import { seeOther } from './page.ts';

/** The page where users prove again who they are. */
export const PROVE = '/portal/account/prove';

/** Milliseconds for which a proof counts: a sign-in, or the right password on that page (specification, section 21). */
const PROOF_LIFETIME = 10 * 60_000;

/** The purpose of the sealed text, and the name of its cookie. */
const PROOF = 'proof';

/** The part of a page's context that a proof needs. */
interface ProvedContext {
  readonly caller: Caller;
  readonly browser: Omit<BrowserContext, 'run'> | undefined;
}

/** The digest of the browser's ticket: a page takes no other credential. */
export const ticketProved = ({ caller }: Pick<ProvedContext, 'caller'>): Digest =>
  (caller.heldTicket as HeldTicket).ticket.digest;

/**
 * Whether the user has proved within the last 10 minutes who it is, in this browser and with this ticket: by a sign-in on the
 * portal, or later. How young the ticket is proves nothing: a program may have got it for an access token.
 */
export function provedRecently(context: ProvedContext): boolean {
  const browser = context.browser as BrowserContext;
  const sealed = browser.cookie(PROOF);
  return sealed !== undefined && browser.unseal(PROOF, sealed)?.ticket === ticketProved(context);
}

/** Whether the sign-in asks the caller for a second factor: then the password alone proves less than the sign-in did. */
export async function givesFactor({
  browser,
  caller,
  store,
}: ProvedContext & { readonly store: Pick<ReadUnit, 'users'> }): Promise<boolean> {
  if ((browser as BrowserContext).secondStep?.isAsked !== true) return false;
  return (await store.users.find(caller.user.id))?.hasSecondFactor === true;
}

/** The cookie of a proof that the user has just given. It counts for the ticket of this digest alone. */
export function proofCookie(browser: BrowserContext, ticket: Digest): BrowserCookie {
  return {
    name: PROOF,
    value: browser.seal(PROOF, { ticket }, PROOF_LIFETIME),
    maxAge: PROOF_LIFETIME / 1_000,
  };
}

/** Has a browser that signs out forget its proof. */
export const NO_PROOF: BrowserCookie = { name: PROOF, value: 'none' };

/** Leads to the page where users prove who they are, and from there to `back`, an address on this host. */
export const proveFirst = (back: string) => seeOther(`${PROVE}?${new URLSearchParams({ return: back })}`);
