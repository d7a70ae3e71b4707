import { V1_CALL } from '../../api.ts';
import { isRefusal } from '../../domain/refusal.ts';
import { operation } from '../../operation.ts';
import { v1LoginShown } from '../../representations/v1/ticket.ts';
import { Type } from '../../schema.ts';

/** Specification, section 10: log in by the v1 API, as current clients do. */
export default operation({
  id: 'org/service/repository/v1/tickets.post',
  summary: 'Log in and establish a ticket, by the v1 API.',
  family: 'Authentication',
  ...V1_CALL,
  method: 'POST',
  paths: ['/authentication/versions/1/tickets'],
  authentication: 'none',
  access: 'write',
  takesPassword: 'body',
  input: {
    body: Type.Object({
      userId: Type.String({
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
  answers: 201,
  output: v1LoginShown,
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
  prepare: ({ input, passwords }) => passwords.check(input.body.userId, input.body.password),
  async perform({ prepared, issue }) {
    const answered = await issue(prepared);
    if (isRefusal(answered)) return answered;
    const { value, issued } = answered;
    return { issued, value: { ticket: value.ticket, userId: issued.user.name } };
  },
});
