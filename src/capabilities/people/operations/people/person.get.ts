import { ADMINISTRATORS_GROUP, inOrderOfNames } from '../../../../core/domain/group.ts';
import { refuse } from '../../../../core/domain/refusal.ts';
import type { Role } from '../../../../core/domain/role.ts';
import { maskedIfTicket } from '../../../../core/domain/ticket.ts';
import { isPasswordless, type User } from '../../../../core/domain/user.ts';
import { answer, type InputSchemas, type OperationContext, operation } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import type { ReadUnit } from '../../../../core/storage/store.ts';
import { type Person, personShown } from '../../representations/person.ts';

/** What the look-up of a person needs of the context. */
export type PersonContext = Pick<
  OperationContext<InputSchemas, unknown, 'user', 'read'>,
  'caller' | 'allPeopleVisible' | 'keyOf' | 'store'
>;

/** The name in the path of an operation that shows one person. */
export const namedPerson = Type.String({
  description: "The caller's own name, or that of another user whom the caller may see.",
  examples: ['alice'],
});

/**
 * The person of this name, if the caller may see it: itself, everybody for an administrator, and everybody with
 * `TESSERA_PEOPLE_VISIBLE=all`. A name that no user has takes as many look-ups as one that the caller may not see.
 */
export async function visiblePerson(
  name: string,
  { caller, allPeopleVisible, keyOf, store: { users, profiles, roles } }: PersonContext,
): Promise<{ readonly id: User['id']; readonly person: Person } | undefined> {
  const user = await users.findByKey(keyOf(name));
  const ownRole = await roles.of(caller.user.id);
  const isOwn = user?.id === caller.user.id;
  const isSeenByAll = allPeopleVisible || ownRole === 'administrator';
  if (user === undefined || !(isOwn || isSeenByAll)) return undefined;
  const person = await personSeenBy(isOwn ? 'itself' : (ownRole ?? 'others'), user, { profiles, roles });
  return { id: user.id, person };
}

/** A person as one with this role sees it, or as it sees itself. */
export async function personSeenBy(
  reader: Role | 'itself' | 'others',
  user: User,
  { profiles, roles }: Pick<ReadUnit, 'profiles' | 'roles'>,
): Promise<Person> {
  const [profile, role] = await Promise.all([profiles.find(user.id), roles.of(user.id)]);
  const isGuest = isPasswordless(user);
  return {
    userName: user.name,
    enabled: !user.disabled,
    profile,
    isGuest,
    isAdmin: role === 'administrator',
    isMutable: !isGuest && (reader === 'itself' || reader === 'administrator'),
  };
}

/** Specification, section 12: the profile of a user, with the groups that contain it if they are asked for. */
export default operation({
  id: 'org/service/repository/people/person.get',
  summary: 'Show the profile of a user, and the groups if groups=true.',
  lifecycle: 'public_api',
  family: 'People',
  method: 'GET',
  paths: ['/api/people/{userName}'],
  authentication: 'user',
  transaction: 'required',
  access: 'read',
  formatStyle: 'argument',
  defaultFormat: 'json',
  input: {
    path: Type.Object({ userName: namedPerson }),
    query: Type.Object({
      groups: Type.Optional(
        Type.String({ description: 'true to show the groups that contain the user, directly or not.' }),
      ),
    }),
  },
  output: personShown,
  refusals: ['person_not_found'],
  async perform({ input, basePath, ...context }) {
    const { userName } = input.path;
    const found = await visiblePerson(userName, context);
    if (found === undefined) return refuse('person_not_found', { detail: maskedIfTicket(userName) });
    const { id, person } = found;
    if (input.query.groups !== 'true') return answer({ person, basePath });
    const stored = await context.store.groups.ofUser(id);
    const groups = person.isAdmin ? [...stored, ADMINISTRATORS_GROUP] : stored;
    return answer({ person, basePath, groups: inOrderOfNames(groups) });
  },
});
