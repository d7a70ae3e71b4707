import type { Actor } from '../../../../core/domain/administration.ts';
import { isRefusal, type Refusal, refuse } from '../../../../core/domain/refusal.ts';
import { refusalOfOwnChange } from '../../../../core/domain/second-factor.ts';
import { maskedIfTicket } from '../../../../core/domain/ticket.ts';
import type { User } from '../../../../core/domain/user.ts';
import { changed, operation } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { v1PersonShown } from '../../representations/v1/person.ts';
import { personMembers, profileIn, V1_ADMINISTRATION } from '../../representations/v1/person-body.ts';
import { bringUser } from '../../rules/bring-user.ts';
import { personSeenBy } from '../people/person.get.ts';

/** The user who calls, if the id means that one. */
const ownOf = (personId: string, { user }: Actor) => (personId.toLowerCase() === '-me-' ? user : undefined);

type WhyPersonNotChanged = 'body_invalid' | 'password_elsewhere' | 'last_administrator';

/** Specification, section 12: change a user, as Alfresco's tools do. */
export default operation({
  ...V1_ADMINISTRATION,
  id: 'org/service/repository/v1/person.put',
  summary: 'Change the profile, the state or the password of a user, by the v1 API.',
  family: 'People',
  method: 'PUT',
  paths: ['/alfresco/versions/1/people/{personId}'],
  input: {
    path: Type.Object({
      personId: Type.String({ description: '-me- for the caller, or a user name.', examples: ['carol'] }),
    }),
    body: Type.Object(personMembers, { additionalProperties: false }),
  },
  output: v1PersonShown,
  refusals: [
    'person_not_found',
    'body_unreadable',
    'body_invalid',
    'new_password_refused',
    'password_elsewhere',
    'proof_needed',
    'last_administrator',
    'hash_queue_full',
  ],
  prepare: async ({ input: { path, body }, passwords, actor }) =>
    body.password === undefined
      ? undefined
      : passwords.hashNew(ownOf(path.personId, actor)?.name ?? path.personId, body.password),
  async perform({ input: { path, body }, prepared, store, keyOf, actor, passwordPages, asksSecondFactor }) {
    const { personId } = path;
    const own = ownOf(personId, actor);
    const user = (own && (await store.users.find(own.id))) ?? (await store.users.findByKey(keyOf(personId)));
    if (user === undefined) return refuse('person_not_found', { detail: maskedIfTicket(personId) });
    const unproved = prepared === undefined ? undefined : refusalOfOwnChange(user, actor, asksSecondFactor);
    if (unproved !== undefined) return unproved;
    const password = prepared !== undefined && {
      passwordHash: prepared,
      mustChangePassword: actor.user?.id !== user.id,
    };
    const disabled = body.enabled === undefined ? undefined : !body.enabled;
    const desired = { ...password, disabled, profile: profileIn(body) };
    const outcome = await bringUser(store, user, desired, { actor, passwordPages });
    // Never for want of a password: a new one is required together with it.
    if (isRefusal(outcome)) return outcome as Refusal<WhyPersonNotChanged>;
    const after = (await store.users.find(user.id)) as User;
    return changed(await personSeenBy('administrator', after, store), outcome.events);
  },
});
