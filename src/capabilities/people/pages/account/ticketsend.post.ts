import type { HeldTicket } from '../../../../core/domain/ticket.ts';
import { form, page, seeOther } from '../../../../faces/pages/page.ts';
import { endOtherTickets } from '../../rules/tickets.ts';

/** Ends all own tickets but that of this browser (specification, section 18). */
export default page({
  id: 'org/service/repository/portal/account/ticketsend.post',
  summary: 'End all other own tickets.',
  method: 'POST',
  paths: ['/account/tickets/end-others'],
  authentication: 'user',
  input: { body: form({}) },
  async perform({ caller, store, ticketState }) {
    const { events } = await endOtherTickets(store, caller.heldTicket as HeldTicket, ticketState);
    return seeOther('/portal/account?done=tickets', { changes: events });
  },
});
