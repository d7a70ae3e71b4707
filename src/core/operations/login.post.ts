import { operation } from '../operation.ts';
import { postedTicketShown } from '../representations/ticket.ts';
import { Type } from '../schema.ts';

/** Specification, section 3.2: log in with a JSON object. */
export default operation({
  id: 'org/service/repository/login.post',
  summary: 'Log in and establish a ticket, with the user name and password in a JSON body.',
  lifecycle: 'public_api',
  family: 'Authentication',
  method: 'POST',
  paths: ['/api/login'],
  authentication: 'none',
  transaction: 'required',
  access: 'write',
  formatStyle: 'any',
  defaultFormat: 'json',
  takesPassword: 'body',
  formMembers: { username: 'u', password: 'pw' },
  input: {
    body: Type.Object({
      username: Type.String({
        minLength: 1,
        refusal: 'username_missing',
        description: 'User name.',
        examples: ['alice'],
      }),
      password: Type.Optional(
        Type.String({
          description: 'Password. Only a user without a password may leave it out.',
          examples: ['a long quiet river'],
        }),
      ),
    }),
  },
  output: postedTicketShown,
  refusals: [
    'username_missing',
    'password_missing',
    'password_too_long',
    'body_unreadable',
    'login_failed',
    'cross_site_login',
    'passwords_unavailable',
    'hash_queue_full',
  ],
  prepare: ({ input, passwords }) => passwords.check(input.body.username, input.body.password),
  perform: ({ prepared, issue }) => issue(prepared),
});
