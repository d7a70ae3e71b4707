import { type Change, UNCHANGED } from '../../../core/domain/outcome.ts';
import { isPossiblePasskeyName, MOST_PASSKEYS, type Passkey } from '../../../core/domain/passkey.ts';
import type { User } from '../../../core/domain/user.ts';
import type { WriteUnit } from '../../../core/storage/store.ts';
import { updateSecondFactorFlag } from './second-factors.ts';

/** What the user's events call a passkey. */
const eventName = ({ name }: Pick<Passkey, 'name'>) => `passkey ${name}`;

/** Why a passkey cannot be added. */
export type PasskeyFault = 'name' | 'name-taken' | 'known' | 'too-many';

/** Adds a passkey of the user under a name that no other one of the user has. */
export async function addPasskey(
  unit: WriteUnit,
  user: User,
  passkey: Passkey,
): Promise<Change | { readonly fault: PasskeyFault }> {
  const own = await unit.passkeys.ofUser(user.id);
  if (!isPossiblePasskeyName(passkey.name)) return { fault: 'name' };
  if (own.some(({ name }) => name === passkey.name)) return { fault: 'name-taken' };
  if (own.length >= MOST_PASSKEYS) return { fault: 'too-many' };
  if (!(await unit.passkeys.add(passkey))) return { fault: 'known' };
  await updateSecondFactorFlag(unit, user);
  return {
    events: [{ kind: 'second-factor-added', user: user.name, reason: eventName(passkey) }],
  };
}

/** Removes the passkey of the user with this credential id; no other user's. */
export async function removePasskey(unit: WriteUnit, user: User, credentialId: Buffer): Promise<Change> {
  const passkey = await unit.passkeys.find(credentialId);
  if (passkey?.userId !== user.id) return UNCHANGED;
  await unit.passkeys.remove(credentialId);
  await updateSecondFactorFlag(unit, user);
  return {
    events: [{ kind: 'second-factor-removed', user: user.name, reason: eventName(passkey) }],
  };
}
