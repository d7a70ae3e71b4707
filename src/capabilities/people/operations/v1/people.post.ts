import { isRefusal, type Refusal } from '../../../../core/domain/refusal.ts';
import { changed, operation } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { v1PersonShown } from '../../representations/v1/person.ts';
import { personMembers, profileIn, V1_ADMINISTRATION } from '../../representations/v1/person-body.ts';
import { addUser } from '../../rules/bring-user.ts';
import { personSeenBy } from '../people/person.get.ts';

/** Specification, section 12: add a user, as Alfresco's tools do. */
export default operation({
  ...V1_ADMINISTRATION,
  id: 'org/service/repository/v1/people.post',
  summary: 'Add a user, by the v1 API.',
  family: 'People',
  method: 'POST',
  paths: ['/alfresco/versions/1/people'],
  input: {
    body: Type.Object(
      {
        ...personMembers,
        id: Type.String({ minLength: 1, description: 'The user name.', examples: ['dora'] }),
        firstName: Type.String({ minLength: 1, description: 'The first name.', examples: ['Dora'] }),
        email: Type.String({
          minLength: 1,
          description: 'The address for mail.',
          examples: ['dora@example.org'],
        }),
        password: Type.String({ ...personMembers.password }),
      },
      { additionalProperties: false },
    ),
  },
  answers: 201,
  output: v1PersonShown,
  refusals: ['body_unreadable', 'body_invalid', 'name_taken', 'new_password_refused', 'hash_queue_full'],
  prepare: ({ input: { body }, passwords }) => passwords.hashNew(body.id, body.password),
  async perform({ input: { body }, prepared: passwordHash, store, keyOf }) {
    const state = { passwordHash, mustChangePassword: true, disabled: body.enabled === false };
    const added = await addUser(store, {
      name: body.id,
      key: keyOf(body.id),
      ...state,
      profile: profileIn(body),
    });
    // Never for want of a password: the body has one.
    if (isRefusal(added)) return added as Refusal<'body_invalid' | 'name_taken'>;
    return changed(await personSeenBy('administrator', added.user, store), added.events);
  },
});
