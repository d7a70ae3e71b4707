import { randomBytes } from 'node:crypto';
import { isRefusal, refuse } from '../../../core/domain/refusal.ts';
import type { User } from '../../../core/domain/user.ts';
import { hashOfNoPassword } from '../../../core/identity/password-hash.ts';
import { changed, operation } from '../../../core/operation.ts';
import { Type } from '../../../core/schema.ts';
import type { WriteUnit } from '../../../core/storage/store.ts';
import { addUser } from '../../people/rules/bring-user.ts';
import { SCIM_CALL, type ScimRules } from '../call.ts';
import { addedShown, selectionIn, shownArguments } from '../shown.ts';
import { userRecords, userResource } from './record.ts';
import { type UserWanted, wantedIn } from './wanted.ts';

const NO_NAME = refuse('body_invalid', { detail: 'userName is missing' });
const NO_SUBJECT = refuse('body_invalid', {
  detail:
    'externalId is missing: a user of a provider is known by its subject there, so map externalId to it',
});

/** The state of a new user: with the given password, or the provider's user, or one whose password is not known yet. */
function credentialOf({ provider, hashCost }: ScimRules, password: string | undefined) {
  if (provider !== undefined) return { provider, passwordHash: undefined };
  return { passwordHash: password ?? hashOfNoPassword(hashCost, randomBytes(48)) };
}

/** The resource of a user that was added just now. */
async function resourceOf(unit: WriteUnit, user: User, provider: string | undefined, basePath: string) {
  const [record] = await userRecords(unit, [user], provider, false);
  return userResource(record as NonNullable<typeof record>, basePath);
}

type NewUserWanted = UserWanted & { readonly userName: string };

/** Reads the wanted state of a new user from the body. */
function newUserIn(body: object, { provider }: ScimRules) {
  const target = wantedIn({ ...body }, 'kept');
  if (isRefusal(target)) return target;
  if (target.userName === undefined) return NO_NAME;
  if (provider !== undefined && target.externalId === undefined) return NO_SUBJECT;
  return target as NewUserWanted;
}

/** RFC 7644 section 3.3: add a user. */
export const usersPost = (rules: ScimRules) =>
  operation({
    ...SCIM_CALL,
    id: 'org/service/repository/scim/users/users.post',
    summary: 'Add a user.',
    method: 'POST',
    paths: ['/Users'],
    access: 'write',
    input: { query: Type.Object(shownArguments), body: Type.Object({}) },
    answers: 201,
    output: addedShown,
    refusals: [
      'body_unreadable',
      'body_invalid',
      'name_taken',
      'new_password_refused',
      'hash_queue_full',
      'password_needed',
    ],
    async prepare({ input: { body }, passwords }) {
      const target = newUserIn(body, rules);
      if (isRefusal(target) || rules.provider !== undefined || target.password === undefined)
        return undefined;
      return passwords.hashNew(target.userName, target.password);
    },
    async perform({ input: { body, query }, prepared, store, keyOf, now, basePath }) {
      const target = newUserIn(body, rules);
      if (isRefusal(target)) return target;
      const { userName: name, externalId, active = true, profile } = target;
      const desired = { name, key: keyOf(name), ...credentialOf(rules, prepared), externalId, profile };
      const provisioning = { provider: rules.provider, now };
      const outcome = await addUser(store, { ...desired, disabled: !active }, { provisioning });
      if (isRefusal(outcome)) return outcome;
      const resource = await resourceOf(store, outcome.user, rules.provider, basePath);
      return changed({ resource, selection: selectionIn(query) }, outcome.events);
    },
  });
