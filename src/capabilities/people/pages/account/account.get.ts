import type { BrowserContext } from '../../../../core/browser-context.ts';
import type { HeldTicket } from '../../../../core/domain/ticket.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { page } from '../../../../faces/pages/page.ts';
import { userReader } from '../../../../faces/pages/reader.ts';
import { shownSecondFactors } from '../../../factors/pages/account/second-factor.ts';
import { appPasswordsInUse } from '../../../factors/rules/app-passwords-in-use.ts';
import { signInHistory } from '../../rules/sign-in-history.ts';
import { ownTickets } from '../../rules/tickets.ts';
import { accountPage } from './account-view.ts';
import { shownTickets } from './tickets-view.ts';

/** How many tickets are shown, and how many sign-ins and refused tries. */
const SHOWN = 20;

/** The own account (specification, section 18). Its reads do not depend on each other, so an engine can send them together. */
export default page({
  id: 'org/service/repository/portal/account/account.get',
  summary: 'Show the own account.',
  method: 'GET',
  paths: ['/account'],
  authentication: 'user',
  access: 'read',
  input: {
    query: Type.Object({
      done: Type.Optional(Type.String({ description: 'What was done last, which the page tells.' })),
    }),
  },
  async perform(context) {
    const { caller, store, isCaller, ticketState, input, now } = context;
    const { id, name } = caller.user;
    const held = caller.held as HeldTicket;
    const [reader, profile, groups, history, own, appPasswords, secondFactors] = await Promise.all([
      userReader(context),
      store.profiles.find(id),
      store.groups.ofUser(id),
      signInHistory(store, { id, name, isOwn: isCaller }, SHOWN),
      ownTickets(store, held, ticketState, SHOWN),
      appPasswordsInUse(store, caller.user, ticketState),
      shownSecondFactors(store, caller, context.browser as BrowserContext),
    ]);
    const tickets = await shownTickets(reader, own);
    const { done } = input.query;
    const credentials = { tickets, appPasswords, secondFactors };
    const account = { userName: name, profile, groups, history, ...credentials, done, now };
    return answer({ text: accountPage(reader, account) });
  },
});
