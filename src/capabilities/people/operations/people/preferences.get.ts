import { refuse } from '../../../../core/domain/refusal.ts';
import { maskedIfTicket } from '../../../../core/domain/ticket.ts';
import { answer, operation } from '../../../../core/operation.ts';
import type { Representation } from '../../../../core/representations/representation.ts';
import { Type } from '../../../../core/schema.ts';

const preferencesShown = {
  schema: Type.Object({}),
  json: () => ({}),
} satisfies Representation<undefined>;

/** Specification, section 12: the preferences of a user, of which none are kept here. */
export default operation({
  id: 'org/service/repository/people/preferences.get',
  summary: 'Tell the preferences of a user: none are kept here.',
  lifecycle: 'public_api',
  family: 'People',
  method: 'GET',
  paths: ['/api/people/{userName}/preferences'],
  authentication: 'user',
  transaction: 'required',
  access: 'read',
  formatStyle: 'argument',
  defaultFormat: 'json',
  input: {
    path: Type.Object({
      userName: Type.String({
        description: "The caller's own name; for an administrator, any user's.",
        examples: ['alice'],
      }),
    }),
  },
  output: preferencesShown,
  refusals: ['user_not_found'],
  async perform({ input, caller, isCaller, keyOf, store }) {
    const { userName } = input.path;
    if (isCaller(userName)) return answer(undefined);
    const isAdministrator = (await store.roles.of(caller.user.id)) === 'administrator';
    if (isAdministrator && (await store.users.findByKey(keyOf(userName)))) return answer(undefined);
    return refuse('user_not_found', { detail: maskedIfTicket(userName) });
  },
});
