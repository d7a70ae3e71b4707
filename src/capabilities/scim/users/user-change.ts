import { isRefusal, type Refusal } from '../../../core/domain/refusal.ts';
import type { User } from '../../../core/domain/user.ts';
import { changed, operation } from '../../../core/operation.ts';
import { Type } from '../../../core/schema.ts';
import type { WriteUnit } from '../../../core/storage/store.ts';
import { bringUser } from '../../people/rules/bring-user.ts';
import type { Attributes } from '../attributes.ts';
import { SCIM_CALL, type ScimRules } from '../call.ts';
import { changesIn, faultOfChanges, isAbout, patched } from '../patch.ts';
import { faultOfUserChange } from '../reach.ts';
import { resourceShown, selectionIn, shownArguments } from '../shown.ts';
import { findUserById } from './find.ts';
import { userRecords, userResource } from './record.ts';
import { userGet, userPath } from './user.get.ts';
import { type UserWanted, wantedIn } from './wanted.ts';

const REFUSALS = [
  'user_not_found',
  'body_unreadable',
  'body_invalid',
  'path_invalid',
  'target_missing',
  'attribute_fixed',
  'name_taken',
  'new_password_refused',
  'hash_queue_full',
  'password_elsewhere',
  'last_administrator',
  'user_has_role',
  'user_not_provisioned',
] as const;

type WantedRefusal = Refusal<'body_unreadable' | 'body_invalid' | 'path_invalid' | 'target_missing'>;

/** Reads the wanted state of a user from the body and from the resource of the user. */
type WantedBy = (body: Attributes, resource: Attributes) => UserWanted | WantedRefusal;

/** A PUT: attributes that the body leaves out stay as they are, as RFC 7644 section 3.5.1 allows. */
const byReplacement: WantedBy = (body) => wantedIn(body, 'kept');

const byPatch: WantedBy = (body, resource) => {
  const changes = changesIn(body);
  if (isRefusal(changes)) return changes;
  const target = wantedIn(patched(resource, changes), 'removed');
  if (isRefusal(target)) return target;
  const isChanged = (name: string) => changes.some((change) => isAbout(change, name));
  const externalId = target.externalId ?? (isChanged('externalId') ? null : undefined);
  // A user whom its provider disabled would otherwise count as disabled by SCIM, and no sign-in would enable it again.
  return { ...target, externalId, active: isChanged('active') ? target.active : undefined };
};

/** Why a PATCH is refused that changes what no PATCH may. A PUT leaves such attributes alone (RFC 7644 section 3.5.1). */
function faultOfPatch(body: Attributes, resource: Attributes, provider: string | undefined) {
  const changes = changesIn(body);
  if (isRefusal(changes)) return changes;
  // The provider's user is known by its `externalId`.
  const required = provider === undefined ? ['userName'] : ['userName', 'externalId'];
  return faultOfChanges(changes, resource, { readOnly: ['id', 'meta', 'groups'], required });
}

async function resourceById(unit: WriteUnit, id: string, provider: string | undefined, basePath: string) {
  const user = await findUserById(unit, id);
  if (isRefusal(user)) return user;
  const [record] = await userRecords(unit, [user], provider, true);
  return { user, resource: userResource(record as NonNullable<typeof record>, basePath) };
}

/** The state that a client wants. A password is set for users who have it here alone. */
function desiredBy(
  { userName, externalId, active, profile }: UserWanted,
  passwordHash: string | undefined,
  { provider }: User,
  keyOf: (name: string) => string,
) {
  return {
    rename: userName === undefined ? undefined : { name: userName, key: keyOf(userName) },
    externalId,
    profile,
    disabled: active === undefined ? undefined : !active,
    passwordHash: provider === undefined ? passwordHash : undefined,
  };
}

function userChange<const M extends 'PUT' | 'PATCH'>(
  rules: ScimRules,
  {
    method,
    summary,
    wantedBy,
  }: { readonly method: M; readonly summary: string; readonly wantedBy: WantedBy },
) {
  const { provider } = rules;
  return operation({
    ...SCIM_CALL,
    id: `org/service/repository/scim/users/user.${method.toLowerCase()}`,
    summary,
    method,
    paths: ['/Users/{id}'],
    access: 'write',
    ifMatch: userGet(rules),
    input: { path: userPath, query: Type.Object(shownArguments), body: Type.Object({}) },
    output: resourceShown,
    refusals: REFUSALS,
    async prepare({ input: { path, body }, passwords }) {
      const target = wantedBy({ ...body }, {});
      if (isRefusal(target) || target.password === undefined || provider !== undefined) return undefined;
      return passwords.hashNew(target.userName ?? path.id, target.password);
    },
    async perform({ input: { path, body, query }, prepared: passwordHash, store, keyOf, now, basePath }) {
      const before = await resourceById(store, path.id, provider, basePath);
      if (isRefusal(before)) return before;
      const fault = await faultOfUserChange(store, before.user, provider);
      if (fault !== undefined) return fault;
      const refused = method === 'PATCH' ? faultOfPatch({ ...body }, before.resource, provider) : undefined;
      if (refused !== undefined) return refused;
      const target = wantedBy({ ...body }, before.resource);
      if (isRefusal(target)) return target;
      const desired = desiredBy(target, passwordHash, before.user, keyOf);
      const outcome = await bringUser(store, before.user, desired, { provisioning: { provider, now } });
      if (isRefusal(outcome)) return outcome;
      const after = await resourceById(store, path.id, provider, basePath);
      if (isRefusal(after)) return after;
      return changed({ resource: after.resource, selection: selectionIn(query) }, outcome.events);
    },
  });
}

/** RFC 7644 section 3.5.1: replace a user. */
export const userPut = (rules: ScimRules) =>
  userChange(rules, { method: 'PUT', summary: 'Replace a user.', wantedBy: byReplacement });

/** RFC 7644 section 3.5.2: change a user. */
export const userPatch = (rules: ScimRules) =>
  userChange(rules, { method: 'PATCH', summary: 'Change a user.', wantedBy: byPatch });
