import { OAUTH2 } from '../../api.ts';
import { answer, operation } from '../../operation.ts';
import { tokenForm } from '../../representations/oauth2/token.ts';
import type { Representation } from '../../representations/representation.ts';
import { Type } from '../../schema.ts';

/** What a client learns about a ticket (RFC 7662 section 2.2). */
type Introspection =
  | { readonly active: false }
  | {
      readonly active: true;
      /** The stored spelling of the user's name, and its id, which no other user ever has. */
      readonly username: string;
      readonly userId: number;
      /** Epoch milliseconds. */
      readonly issuedAt: number;
      readonly endsAt: number | undefined;
    };

const seconds = (at: number) => Math.floor(at / 1_000);

function json(view: Introspection) {
  if (!view.active) return { active: false };
  const { username, userId, issuedAt, endsAt } = view;
  const exp = endsAt === undefined ? {} : { exp: seconds(endsAt) };
  return { active: true, username, sub: String(userId), iat: seconds(issuedAt), ...exp };
}

const introspectionShown = {
  schema: Type.Object({
    active: Type.Boolean(),
    username: Type.Optional(Type.String()),
    sub: Type.Optional(Type.String()),
    iat: Type.Optional(Type.Integer()),
    exp: Type.Optional(Type.Integer()),
  }),
  json,
} satisfies Representation<Introspection>;

/** RFC 7662: tell a client whether a ticket is live, and whose it is. */
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
