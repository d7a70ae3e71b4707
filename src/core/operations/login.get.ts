import { operation } from '../operation.ts';
import { ticketShown } from '../representations/ticket.ts';
import { Type } from '../schema.ts';

/** Specification, section 3.1: log in with query arguments. */
export default operation({
  id: 'org/service/repository/login.get',
  summary: 'Log in and establish a ticket, with the user name and password as query arguments.',
  lifecycle: 'public_api',
  family: 'Authentication',
  method: 'GET',
  paths: ['/api/login'],
  authentication: 'none',
  transaction: 'required',
  access: 'write',
  formatStyle: 'any',
  defaultFormat: 'xml',
  takesPassword: 'url',
  input: {
    query: Type.Object({
      u: Type.String({
        minLength: 1,
        refusal: 'username_missing',
        description: 'User name.',
        examples: ['alice'],
      }),
      pw: Type.Optional(
        Type.String({
          description: 'Password. Only a user without a password may leave it out.',
          examples: ['a long quiet river'],
        }),
      ),
    }),
  },
  output: ticketShown,
  refusals: [
    'username_missing',
    'password_missing',
    'password_too_long',
    'login_failed',
    'login_by_get_off',
    'cross_site_login',
    'passwords_unavailable',
    'hash_queue_full',
  ],
  prepare: ({ input, passwords }) => passwords.check(input.query.u, input.query.pw),
  perform: ({ prepared, issue }) => issue(prepared),
});
