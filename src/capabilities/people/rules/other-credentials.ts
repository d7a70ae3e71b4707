import type { ChangeEvent } from '../../../core/domain/event.ts';
import type { Made } from '../../../core/domain/outcome.ts';
import type { Passkey } from '../../../core/domain/passkey.ts';
import type { User } from '../../../core/domain/user.ts';
import type { ReadUnit, WriteUnit } from '../../../core/storage/store.ts';
import { removeAppPassword } from '../../factors/rules/app-passwords.ts';
import { removePasskey } from '../../factors/rules/passkeys.ts';
import { removeApp, removeRecoveryCodes, secondFactorsOf } from '../../factors/rules/second-factors.ts';

/** A credential of a user beside the password: a change of the password leaves it as it is. */
export type OtherCredential =
  | { readonly kind: 'app-password'; readonly name: string }
  | ({ readonly kind: 'passkey' } & Pick<Passkey, 'name' | 'credentialId'>)
  | { readonly kind: 'authenticator-app' }
  | { readonly kind: 'recovery-codes'; readonly count: number };

/** The credentials of the user beside the password. App passwords and passkeys, which sign in without it, come first. */
export async function otherCredentialsOf(
  unit: ReadUnit,
  { id }: Pick<User, 'id'>,
): Promise<OtherCredential[]> {
  const [appPasswords, { appSince, passkeys, recoveryCodes }] = await Promise.all([
    unit.appPasswords.ofUser(id),
    secondFactorsOf(unit, id),
  ]);
  return [
    ...appPasswords.map(({ name }) => ({ kind: 'app-password' as const, name })),
    ...passkeys.map(({ name, credentialId }) => ({ kind: 'passkey' as const, name, credentialId })),
    ...(appSince === undefined ? [] : [{ kind: 'authenticator-app' as const }]),
    ...(recoveryCodes === 0 ? [] : [{ kind: 'recovery-codes' as const, count: recoveryCodes }]),
  ];
}

/** Removes these credentials of the user. One that is gone already counts as removed. */
export async function removeOtherCredentials(
  unit: WriteUnit,
  user: User,
  credentials: readonly OtherCredential[],
): Promise<Made> {
  const events: ChangeEvent[] = [];
  for (const credential of credentials)
    events.push(...((await removeOne(unit, user, credential))?.events ?? []));
  return { events };
}

function removeOne(unit: WriteUnit, user: User, credential: OtherCredential): Promise<Made | undefined> {
  switch (credential.kind) {
    case 'app-password':
      return removeAppPassword(unit, user, credential.name);
    case 'passkey':
      return removePasskey(unit, user, credential.credentialId);
    case 'authenticator-app':
      return removeApp(unit, user);
    case 'recovery-codes':
      return removeRecoveryCodes(unit, user);
  }
}
