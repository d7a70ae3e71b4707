import { isRefusal } from '../../../../core/domain/refusal.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { inConsole, NAMED } from '../../../../faces/pages/console/change.ts';
import { doneArgument } from '../../../../faces/pages/console/layout.ts';
import { page } from '../../../../faces/pages/page.ts';
import appPasswordsGet from '../../../factors/operations/admin/users/apppasswords.get.ts';
import groupsGet from '../../../people/operations/admin/groups/groups.get.ts';
import userGet from '../../../people/operations/admin/users/user.get.ts';
import eventsGet from '../../operations/admin/events.get.ts';
import signInGet from '../../operations/admin/users/signin.get.ts';
import { liveTicketsOf } from '../tickets/live.ts';
import { userPage } from './user-view.ts';

/** The groups that a search offers, and the events that the page shows. */
const EVENTS = '20';
const GROUPS = '10';

/** Shows everything about a user (specification, section 19). */
export default page({
  id: 'org/service/repository/portal/console/users/user.get',
  summary: 'Show a user.',
  method: 'GET',
  paths: ['/console/users/{name}'],
  authentication: 'admin',
  role: 'operator',
  access: 'read',
  input: {
    path: NAMED,
    query: Type.Object({
      ...doneArgument,
      group: Type.Optional(Type.String({ description: 'What the names of groups to join begin with.' })),
    }),
  },
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { path: named, query } = context.input;
    const path = { userName: named.name };
    const shown = await run(userGet, { path });
    if (isRefusal(shown)) return shown;
    const tickets = await liveTicketsOf(run, path.userName, undefined);
    if (isRefusal(tickets)) return tickets;
    const appPasswords = await run(appPasswordsGet, { path, query: {} });
    if (isRefusal(appPasswords)) return appPasswords;
    const events = await run(eventsGet, { query: { user: shown.value.user.name, limit: EVENTS } });
    if (isRefusal(events)) return events;
    const signIn = await run(signInGet, { path });
    if (isRefusal(signIn)) return signIn;
    const { group, done } = query;
    const found =
      group === undefined
        ? undefined
        : await run(groupsGet, { query: { prefix: group.trim(), limit: GROUPS } });
    if (isRefusal(found)) return found;
    return answer(
      await userPage(reader, {
        shown: shown.value,
        tickets: tickets.items,
        appPasswords: appPasswords.value.items,
        now: context.now,
        signIn: signIn.value,
        events: events.value.items,
        done,
        search: found && { group: group ?? '', groups: found.value.items },
      }),
    );
  },
});
