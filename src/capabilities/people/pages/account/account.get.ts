import type { BrowserContext } from '../../../../core/browser-context.ts';
import type { HeldTicket } from '../../../../core/domain/ticket.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import type { AccountContext, AccountSections } from '../../../../faces/pages/account-sections.ts';
import { page } from '../../../../faces/pages/page.ts';
import { userReader } from '../../../../faces/pages/reader.ts';
import { signInHistory } from '../../rules/sign-in-history.ts';
import { ownTickets } from '../../rules/tickets.ts';
import { accountPage } from './account-view.ts';
import { mayChangeProfile } from './profile.ts';
import { shownTickets } from './tickets-view.ts';

/** How many tickets are shown, and how many events. */
const SHOWN = 20;

/** What these sections show of the user. */
const sharesOf = (
  sections: readonly AccountSections[],
  context: Omit<AccountContext, 'browser'> & { readonly browser: BrowserContext | undefined },
) =>
  Promise.all(sections.map((each) => each.read({ ...context, browser: context.browser as BrowserContext })));

/**
 * The own account (specification, section 18), with the sections of capabilities. Its reads do not depend on each other, so an
 * engine can send them together.
 */
export const accountGet = (sections: readonly AccountSections[]) =>
  page({
    id: 'org/service/repository/portal/account/account.get',
    summary: 'Show the own account.',
    method: 'GET',
    paths: ['/account'],
    authentication: 'user',
    input: {
      query: Type.Object({
        done: Type.Optional(Type.String({ description: 'What was done last, which the page tells.' })),
      }),
    },
    async perform(context) {
      const { caller, store, isCaller, ticketState, input } = context;
      const { id, name } = caller.user;
      const [reader, profile, groups, history, own, shares, changeable] = await Promise.all([
        userReader(context),
        store.profiles.find(id),
        store.groups.ofUser(id),
        signInHistory(store, { id, name, isOwn: isCaller }, SHOWN),
        ownTickets(store, caller.heldTicket as HeldTicket, ticketState, SHOWN),
        sharesOf(sections, context),
        mayChangeProfile(store, caller.user),
      ]);
      const tickets = await shownTickets(reader, own);
      const { done } = input.query;
      const mayChange = changeable !== undefined;
      const account = { userName: name, profile, mayChange, groups, history, tickets, shares, done };
      return answer({ text: await accountPage(reader, account) });
    },
  });
