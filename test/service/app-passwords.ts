import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  type AppPasswordToMake,
  makeAppPasswordFor,
  removeAppPassword,
} from '../../src/capabilities/factors/rules/app-passwords.ts';
import { APP_PASSWORD_BYTES } from '../../src/core/domain/app-password.ts';
import { isRefusal } from '../../src/core/domain/refusal.ts';
import { userKey } from '../../src/core/domain/user.ts';
import { newAppPassword } from '../../src/core/identity/client-secret.ts';
import type { Store, WriteUnit } from '../../src/core/storage/store.ts';

async function userIn({ users }: WriteUnit, name: string) {
  return (await users.findByKey(userKey(name))) ?? assert.fail(`there is no user ${name}`);
}

/** Makes an app password of this user, by the rules, and gives its text. It is called `mail` unless `more` names it. */
export async function addAppPassword(
  store: Store,
  user: string,
  more: Partial<AppPasswordToMake> = {},
  now = Date.now(),
): Promise<string> {
  const { password, digest } = newAppPassword(randomBytes(APP_PASSWORD_BYTES));
  const asked = { name: 'mail', digest, expiresAt: undefined, addresses: [], ...more };
  const made = await store.write(async (unit) =>
    makeAppPasswordFor(unit, await userIn(unit, user), asked, now),
  );
  return isRefusal(made) ? assert.fail(made.detail) : password;
}

/** Removes the app password with its tickets; fails if there is none. */
export async function dropAppPassword(store: Store, user: string, name = 'mail'): Promise<void> {
  const made = await store.write(async (unit) => removeAppPassword(unit, await userIn(unit, user), name));
  assert.notEqual(made, undefined);
}
