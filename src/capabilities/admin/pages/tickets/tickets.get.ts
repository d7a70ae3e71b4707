import { isRefusal } from '../../../../core/domain/refusal.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { inConsole } from '../../../../faces/pages/console/change.ts';
import { consolePage, doneArgument, doneNotice } from '../../../../faces/pages/console/layout.ts';
import { page } from '../../../../faces/pages/page.ts';
import { placeArguments } from '../../../../faces/pages/parts/list.ts';
import { liveTicketsOf, someLiveTickets } from './live.ts';
import { endLinks, TICKETS, ticketsBody } from './tickets-view.ts';

const NOTICES = { ended: 'console.tickets.ended' } as const;

/** The live tickets (specification, section 19). */
export default page({
  id: 'org/service/repository/portal/console/tickets.get',
  summary: 'Show the live tickets.',
  method: 'GET',
  paths: ['/console/tickets'],
  role: 'auditor',
  input: {
    query: Type.Object({
      user: Type.Optional(Type.String({ description: 'The name of a user.' })),
      ...placeArguments,
      ...doneArgument,
    }),
  },
  async perform(context) {
    const { user, done, ...place } = context.input.query;
    const { reader, run } = inConsole(context);
    const live = user
      ? await liveTicketsOf(run, user, place.cursor)
      : await someLiveTickets(run, place.cursor);
    const isUserUnknown = isRefusal(live) && live.refused === 'user_not_found';
    if (isRefusal(live) && !isUserUnknown) return live;
    const view = isRefusal(live) ? { items: [], next: undefined } : live;
    const found = { ...view, ...place, user, isUserUnknown };
    return answer(
      consolePage(reader, {
        title: reader.say('console.tickets'),
        actions: endLinks(reader, found),
        current: TICKETS,
        done: doneNotice(reader, done, NOTICES),
        body: await ticketsBody(reader, found),
        usesHtmx: true,
      }),
    );
  },
});
