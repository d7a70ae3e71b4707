import { OAUTH2 } from '../../api.ts';
import { answer, operation } from '../../operation.ts';
import { introspectionShown } from '../../representations/oauth2/introspection.ts';
import { tokenForm } from '../../representations/oauth2/token.ts';

/** RFC 7662: whether a ticket is live, and whose it is. */
export default operation({
  id: 'org/service/repository/oauth2/introspect.post',
  summary: 'Tell a client whether a ticket is live, and whose it is. Counts as a use of the ticket.',
  lifecycle: 'public_api',
  family: 'Gate',
  api: OAUTH2,
  method: 'POST',
  paths: ['/introspect'],
  authentication: 'client',
  transaction: 'required',
  access: 'read',
  formatStyle: 'argument',
  defaultFormat: 'json',
  bodyStyle: 'form',
  input: { body: tokenForm },
  output: introspectionShown,
  refusals: ['form_unreadable', 'token_missing', 'client_secret_in_body'],
  async perform({ input, find, endOf }) {
    const found = await find(input.body.token);
    if ('dead' in found) return answer({ active: false }, { dead: found.dead });
    const { user, ticket } = found;
    const whose = { username: user.name, userId: user.id };
    const times = { issuedAt: ticket.issuedAt, endsAt: endOf(found) };
    return answer({ active: true, ...whose, ...times }, { validated: found });
  },
});
