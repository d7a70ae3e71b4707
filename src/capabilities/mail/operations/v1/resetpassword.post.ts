import { V1_CALL } from '../../../../core/api.ts';
import { answer, operation } from '../../../../core/operation.ts';
import { nothingShown } from '../../../../core/representations/representation.ts';
import { Type } from '../../../../core/schema.ts';
import { choosePassword, prepareChoice } from '../../rules/choose-password.ts';
import type { PasswordLinkTools } from '../../tools.ts';
import { personPath } from './requestpasswordreset.post.ts';

const member = (description: string, example: string) =>
  Type.String({ minLength: 1, refusal: 'body_invalid', description, examples: [example] });

/** Specification, section 12: answered alike whether the link works, as the reference does. */
export default operation({
  id: 'org/service/repository/v1/resetpassword.post',
  summary: 'Set a new password by a link that was sent. Without a link that works nothing changes.',
  family: 'People',
  ...V1_CALL,
  method: 'POST',
  paths: ['/alfresco/versions/1/people/{personId}/reset-password'],
  authentication: 'none',
  access: 'write',
  refusesCrossSite: true,
  input: {
    path: personPath,
    body: Type.Object({
      password: member('The new password.', 'four quiet rivers meeting'),
      id: member('The argument id of the link.', 'password-reset'),
      key: member('The argument key of the link.', 'OEbf2PbYlGgOCLyFIYvXXkX1P9vCwXOZ5YbtTtcoIQQ'),
    }),
  },
  answers: 202,
  output: nothingShown,
  refusals: [
    'body_unreadable',
    'body_invalid',
    'cross_site_change',
    'new_password_refused',
    'passwords_unavailable',
    'hash_queue_full',
  ],
  prepare: ({ input: { path, body }, keyOf, ...tools }) =>
    prepareChoice(body, body.password, tools, ({ name }) => keyOf(name) === keyOf(path.personId)),
  async perform({ prepared, now, passwordLinks, store }) {
    const change =
      prepared && (await choosePassword(store, prepared, now, passwordLinks as PasswordLinkTools));
    return answer(undefined, { changes: change?.events ?? [] });
  },
});
