import { refuse } from '../domain/refusal.ts';
import { signatureOf } from '../domain/server-identity.ts';
import { answer, operation } from '../operation.ts';
import { statusShown } from '../representations/status.ts';
import { Type } from '../schema.ts';

/** Specification, section 6.2: log out, which ends one of the caller's own tickets. */
export default operation({
  id: 'org/service/repository/loginticket.delete',
  summary: 'Log out and delete the login ticket.',
  lifecycle: 'public_api',
  family: 'Authentication',
  method: 'DELETE',
  paths: ['/api/login/ticket/{ticket}'],
  authentication: 'user',
  transaction: 'required',
  access: 'write',
  formatStyle: 'any',
  defaultFormat: 'xml',
  input: { path: Type.Object({ ticket: Type.String({ description: 'The ticket to end.' }) }) },
  output: statusShown,
  refusals: ['ticket_not_found'],
  async perform({ input, caller, find, store, now, identity }) {
    const found = await find(input.path.ticket);
    if ('dead' in found) return refuse('ticket_not_found', { reason: found.dead });
    if (found.user.id !== caller.user.id) return refuse('ticket_not_found', { reason: 'foreign' });
    const ended = await store.tickets.end(found.ticket.digest);
    const message = `Deleted Ticket ${input.path.ticket}`;
    return answer(
      { code: 200, message, at: now, signature: signatureOf(identity) },
      ended ? { ended: found } : {},
    );
  },
});
