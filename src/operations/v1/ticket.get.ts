import { V1 } from '../../api.ts';
import { refuse } from '../../domain/refusal.ts';
import { maskedIfTicket } from '../../domain/ticket.ts';
import { answer, operation } from '../../operation.ts';
import { v1TicketShown } from '../../representations/v1/ticket.ts';
import { Type } from '../../schema.ts';

/** `wire.md` section 10: check the presented ticket. */
export default operation({
  id: 'org/service/repository/v1/ticket.get',
  summary: 'Check that the presented ticket is still valid, by the v1 API.',
  lifecycle: 'public_api',
  family: 'Authentication',
  api: V1,
  method: 'GET',
  paths: ['/authentication/versions/1/tickets/{ticketId}'],
  authentication: 'user',
  aboutPresented: true,
  transaction: 'required',
  access: 'read',
  formatStyle: 'argument',
  defaultFormat: 'json',
  input: {
    path: Type.Object({
      ticketId: Type.String({ description: '-me-: the presented ticket.', examples: ['-me-'] }),
    }),
  },
  output: v1TicketShown,
  refusals: ['ticket_id_unknown', 'ticket_not_presented'],
  async perform({ input, caller }) {
    const { ticketId } = input.path;
    if (ticketId !== '-me-') return refuse('ticket_id_unknown', { detail: maskedIfTicket(ticketId) });
    if (caller.presented === undefined) return refuse('ticket_not_presented');
    return answer({ ticket: caller.presented });
  },
});
