import { isRefusal } from '../../../../core/domain/refusal.ts';
import { type HeldTicket, shortDigest } from '../../../../core/domain/ticket.ts';
import { Type } from '../../../../core/schema.ts';
import { NO_FORM } from '../../../../faces/pages/kept-form.ts';
import { form, page, seeOther } from '../../../../faces/pages/page.ts';
import { NO_PROOF } from '../../../../faces/pages/proof.ts';
import { endOwnTicket } from '../../rules/tickets.ts';

/** Ends one of the own tickets (specification, section 18). The ticket of this browser ends like by signing out. */
export default page({
  id: 'org/service/repository/portal/account/ticketend.post',
  summary: 'End one of the own tickets.',
  method: 'POST',
  paths: ['/account/tickets/end'],
  authentication: 'user',
  input: { body: form({ digest: Type.String({ description: 'The first 8 digits of its digest.' }) }) },
  async perform({ input: { body }, caller, store, ticketState }) {
    const heldTicket = caller.heldTicket as HeldTicket;
    const outcome = await endOwnTicket(store, heldTicket, body.digest, ticketState);
    if (isRefusal(outcome)) return outcome;
    return body.digest === shortDigest(heldTicket.ticket.digest)
      ? seeOther('/portal/login', { changes: outcome.events, cookie: 'none', cookies: [NO_PROOF, NO_FORM] })
      : seeOther('/portal/account?done=ticket', { changes: outcome.events });
  },
});
