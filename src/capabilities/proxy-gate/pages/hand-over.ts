import type { BrowserContext } from '../../../core/browser-context.ts';
import { isRefusal, refuse } from '../../../core/domain/refusal.ts';
import { shortDigest } from '../../../core/domain/ticket.ts';
import { firstTicket } from '../../../core/gate/tickets.ts';
import { type AnyOperation, answer } from '../../../core/operation.ts';
import { Type } from '../../../core/schema.ts';
import { leadingPage } from '../../../faces/pages/leading-page.ts';
import { page, seeOther } from '../../../faces/pages/page.ts';
import { anyReader } from '../../../faces/pages/reader.ts';
import { ownAddress } from '../../../faces/pages/return-address.ts';
import { endFormer } from '../../../faces/pages/sign-in.ts';
import { HAND_OVER } from '../gate-refusal.ts';
import { arrival, arrived, codeFor, depart, handedOverBy, handOverAt, hostOf } from '../hand-over.ts';

const FROM_PORTAL = `${HAND_OVER}/to`;

/** The codes of one departure count once. Milliseconds for which that is remembered: longer than each is good for. */
const USED_FOR = 60_000;

const GONE = refuse('sign_in_outdated', { reason: 'the ticket that is handed over has ended' });

/** Leads the browser to the portal, and keeps what makes the answer count in this browser alone. */
function leave(
  browser: BrowserContext,
  query: { readonly return?: string; readonly again?: string; readonly needs?: string },
) {
  if (!browser.keepsCookie) return refuse('cookie_impossible');
  const { challenge, cookie } = depart(browser, ownAddress(query.return, browser));
  const to = `${FROM_PORTAL}?${new URLSearchParams({ host: hostOf(browser), challenge })}`;
  const { again, needs = '' } = query;
  const path = again === 'yes' ? `/portal/login?${new URLSearchParams({ again, needs, return: to })}` : to;
  return seeOther(new URL(path, browser.handOver?.portal).href, { cookies: [cookie] });
}

/**
 * The page of a host of another domain: without a code it leads to the portal, and with the code that the portal sends back
 * it gives the browser a ticket of its own, which ends with that of the portal.
 */
const arrive = page({
  id: 'org/service/repository/portal/hand-over.get',
  summary: 'Get a ticket for this host by the sign-in at the portal.',
  method: 'GET',
  paths: ['/hand-over'],
  authentication: 'none',
  access: 'write',
  takesPassword: 'provider',
  input: {
    query: Type.Object({
      return: Type.Optional(Type.String({ description: 'The path to go to then.', maxLength: 4_096 })),
      again: Type.Optional(Type.String({ description: 'yes: sign in once more.' })),
      needs: Type.Optional(Type.String({ description: 'What the page behind the sign-in needs.' })),
      code: Type.Optional(Type.String({ description: 'The code of the portal.', maxLength: 2_048 })),
    }),
  },
  async prepare({ input: { query }, browser, passwords }) {
    const own = browser as BrowserContext;
    if (handOverAt(own, 'host') === undefined) return refuse('path_unknown');
    if (query.code === undefined) return undefined;
    const handedOver = handedOverBy(own, query.code);
    // Whoever brings it uses it up: a code that reached another browser is good nowhere.
    const attempt = { state: handedOver?.challenge ?? query.code, lifetime: handedOver ? USED_FOR : 0 };
    return passwords.checkSignIn(attempt, async () => arrival(own, handedOver));
  },
  async perform({ input: { query }, prepared, browser, find, issue, store }) {
    const own = browser as BrowserContext;
    if (prepared === undefined) return leave(own, query);
    const heldTicket = await store.tickets.hold(prepared.ticket);
    if (heldTicket === undefined) return GONE;
    const { ticket, user, serverGeneration } = heldTicket;
    if (ticket.serverGeneration < serverGeneration) return GONE;
    const [origin] = await store.tickets.originsOf([ticket]);
    const issued = await issue({
      userId: user.id,
      generation: ticket.userGeneration,
      passwordHash: undefined,
      methods: origin?.methods ?? [],
      parent: ticket.digest,
      loginReason: `by ticket ${shortDigest(ticket.digest)}`,
      signedInAt: ticket.issuedAt,
    });
    if (isRefusal(issued)) return issued;
    // A proxy may pass the cookie of the portal on, too: that ticket is not the former one of this host.
    const changes = await endFormer({ browser, find, store }, issued.issued, ticket.digest);
    const cookies = [arrived(prepared)];
    return seeOther(prepared.back, { issued: issued.issued, cookie: issued.value.ticket, cookies, changes });
  },
});

/** The page of the portal: sends a browser that is signed in back with a code for that host. */
const handOver = page({
  id: 'org/service/repository/portal/hand-over-to.get',
  summary: 'Hand the sign-in over to a host of another domain.',
  method: 'GET',
  paths: ['/hand-over/to'],
  authentication: 'user',
  input: {
    query: Type.Object({
      host: Type.String({ description: 'The host.', maxLength: 255 }),
      challenge: Type.String({ description: 'The digest of the nonce there.', maxLength: 64 }),
    }),
  },
  async perform({ input: { query }, caller: { heldTicket }, browser, languageAmong, store }) {
    const own = browser as BrowserContext;
    const { host, challenge } = query;
    const { portal, hosts } = handOverAt(own, 'portal') ?? {};
    if (portal === undefined || heldTicket === undefined || !hosts?.includes(host))
      return refuse('path_unknown');
    const ticket = await firstTicket(store, heldTicket.ticket.digest);
    const code = codeFor(own, { ticket, host, challenge });
    const address = `${new URL(portal).protocol}//${host}${HAND_OVER}?${new URLSearchParams({ code })}`;
    return answer({ text: leadingPage(anyReader({ browser, languageAmong }), { name: host, address }) });
  },
});

export const HAND_OVER_PAGES: readonly AnyOperation[] = [arrive, handOver];
