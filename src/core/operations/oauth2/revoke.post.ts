import { OAUTH2 } from '../../api.ts';
import { parseTicket } from '../../domain/ticket.ts';
import { answer, operation } from '../../operation.ts';
import { tokenForm } from '../../representations/oauth2/token.ts';
import type { Representation } from '../../representations/representation.ts';
import { Type } from '../../schema.ts';

/** The answer to a revocation. Its status says everything (RFC 7009 section 2.2). */
const revocationShown = {
  schema: Type.Object({}),
  json: () => ({}),
} satisfies Representation<undefined>;

/** RFC 7009: end a ticket. A ticket that is unknown or already dead counts as ended. */
export default operation({
  id: 'org/service/repository/oauth2/revoke.post',
  summary: 'End a ticket for a client, whosoever it is. Answers the same for what is no ticket.',
  lifecycle: 'public_api',
  family: 'Gate',
  api: OAUTH2,
  method: 'POST',
  paths: ['/revoke'],
  authentication: 'client',
  transaction: 'required',
  access: 'write',
  formatStyle: 'argument',
  defaultFormat: 'json',
  bodyStyle: 'form',
  input: { body: tokenForm },
  output: revocationShown,
  refusals: ['form_unreadable', 'token_missing', 'client_secret_in_body'],
  async perform({ input, store, digestOf }) {
    const ticket = parseTicket(input.body.token);
    if (ticket === undefined) return answer(undefined);
    const digest = digestOf(ticket);
    // Ends a suspended ticket too: it would be live again once its user is unlocked.
    const found = await store.tickets.find(digest);
    const ended = await store.tickets.end(digest);
    return answer(undefined, found && ended ? { ended: found } : {});
  },
});
