import { refuse } from '../domain/refusal.ts';
import type { Ticket } from '../domain/ticket.ts';
import { chain } from '../maybe-promise.ts';
import { answer, operation } from '../operation.ts';
import { ticketShown } from '../representations/ticket.ts';
import { Type } from '../schema.ts';

/** Specification, section 6.1: check that one of the caller's own tickets is still valid. */
export default operation({
  id: 'org/service/repository/loginticket.get',
  summary: 'Check that the given ticket is still valid.',
  lifecycle: 'public_api',
  family: 'Authentication',
  method: 'GET',
  paths: ['/api/login/ticket/{ticket}'],
  authentication: 'user',
  transaction: 'required',
  access: 'read',
  formatStyle: 'any',
  defaultFormat: 'xml',
  input: { path: Type.Object({ ticket: Type.String({ description: 'The ticket to check.' }) }) },
  output: ticketShown,
  refusals: ['ticket_not_found'],
  perform({ input, caller, find }) {
    return chain(find(input.path.ticket), (found) => {
      if ('dead' in found) return refuse('ticket_not_found', { reason: found.dead });
      if (found.user.id !== caller.user.id) return refuse('ticket_not_found', { reason: 'foreign' });
      return answer({ ticket: input.path.ticket as Ticket }, { validated: found });
    });
  },
});
