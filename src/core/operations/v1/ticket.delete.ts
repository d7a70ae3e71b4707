import { V1_CALL } from '../../api.ts';
import { refuse } from '../../domain/refusal.ts';
import { maskedIfTicket } from '../../domain/ticket.ts';
import { answer, operation } from '../../operation.ts';
import { nothingShown } from '../../representations/representation.ts';
import { Type } from '../../schema.ts';

/** Specification, section 10: log out, which ends the presented ticket. */
export default operation({
  id: 'org/service/repository/v1/ticket.delete',
  summary: 'Log out and delete the presented ticket, by the v1 API.',
  family: 'Authentication',
  ...V1_CALL,
  method: 'DELETE',
  paths: ['/authentication/versions/1/tickets/{ticketId}'],
  authentication: 'user',
  aboutPresented: true,
  access: 'write',
  input: {
    path: Type.Object({
      ticketId: Type.String({ description: '-me-: the presented ticket.', examples: ['-me-'] }),
    }),
  },
  answers: 204,
  output: nothingShown,
  refusals: ['ticket_id_unknown', 'ticket_not_presented'],
  async perform({ input, caller, store }) {
    const { ticketId } = input.path;
    if (ticketId !== '-me-') return refuse('ticket_id_unknown', { detail: maskedIfTicket(ticketId) });
    if (caller.heldTicket === undefined) return refuse('ticket_not_presented');
    const ended = await store.tickets.end(caller.heldTicket.ticket.digest);
    return answer(undefined, ended ? { ended: caller.heldTicket } : {});
  },
});
