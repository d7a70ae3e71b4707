import type { HeldTicket } from '../../domain/ticket.ts';
import { endOtherTickets } from '../../people/tickets.ts';
import { form, page, seeOther } from '../page.ts';

/** Ends all own tickets but that of this browser (`people.md` section 18). */
export default page({
  id: 'org/service/repository/portal/account/ticketsend.post',
  summary: 'End all other own tickets.',
  method: 'POST',
  paths: ['/account/tickets/end-others'],
  authentication: 'user',
  access: 'write',
  input: { body: form({}) },
  async perform({ caller, store, ticketState }) {
    const { events } = await endOtherTickets(store, caller.held as HeldTicket, ticketState);
    return seeOther('/portal/account?done=tickets', { changes: events });
  },
});
