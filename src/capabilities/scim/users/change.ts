import type { ChangeEvent } from '../../../core/domain/event.ts';
import { freedNameKey } from '../../../core/domain/freed-name.ts';
import {
  type Forbidden,
  forbid,
  isForbidden,
  type Made,
  made,
  UNCHANGED,
} from '../../../core/domain/outcome.ts';
import type { User } from '../../../core/domain/user.ts';
import type { WriteUnit } from '../../../core/storage/store.ts';
import { faultOfFreedName, keepFreedName } from '../../people/rules/freed-names.ts';
import { changeProfile, renameUser, setDisabled, setPassword } from '../../people/rules/users.ts';
import { findByExternalId } from './find.ts';
import { externalIdOf, hasSubject } from './record.ts';
import type { UserWanted } from './wanted.ts';

/** The longest `externalId`, in UTF-16 units. */
const LONGEST = 1_024;

/** Gives a user this `externalId`: for a user of the provider it is the subject there. No other user may have it. */
export async function setExternalId(
  unit: WriteUnit,
  user: User,
  externalId: string,
  { provider, now }: { readonly provider: string | undefined; readonly now: number },
): Promise<Made | Forbidden<'invalid' | 'taken'>> {
  if (externalId === '' || externalId.length > LONGEST)
    return forbid('invalid', `externalId has 1 to ${LONGEST} characters`);
  const owners = await findByExternalId({ unit, provider }, externalId);
  if (owners.some(({ id }) => id !== user.id))
    return forbid('taken', 'another user has this externalId already');
  if (owners.length > 0) return UNCHANGED;
  if (hasSubject(user, provider)) {
    const identity = await unit.externalIdentities.ofUser(user.id);
    await unit.externalIdentities.put({
      groups: [],
      disabledThere: false,
      ...identity,
      userId: user.id,
      provider: provider as string,
      subject: externalId,
      checkedAt: now,
    });
  } else {
    await unit.externalIds.put('user', user.id, externalId);
  }
  return made({ kind: 'profile-changed', user: user.name, reason: 'externalId' });
}

async function externalIdSet(
  unit: WriteUnit,
  user: User,
  externalId: string | null,
  at: { readonly provider: string | undefined; readonly now: number },
): Promise<Made | Forbidden<'invalid' | 'taken'>> {
  if (externalId !== null) return setExternalId(unit, user, externalId, at);
  if (!(await unit.externalIds.of('user', [user.id])).has(user.id)) return UNCHANGED;
  await unit.externalIds.put('user', user.id, undefined);
  return made({ kind: 'profile-changed', user: user.name, reason: 'externalId' });
}

/** Disables or enables a user. A user that SCIM disabled is not enabled by a sign-in at its provider. */
async function setActive(unit: WriteUnit, user: User, active: boolean): Promise<Made> {
  const identity = user.provider === undefined ? undefined : await unit.externalIdentities.ofUser(user.id);
  if (identity?.disabledThere) await unit.externalIdentities.put({ ...identity, disabledThere: false });
  return setDisabled(unit, user, !active);
}

/** Renames a user. No other person gets the former name for a while. */
async function renameKept(
  unit: WriteUnit,
  user: User,
  name: string,
  {
    key,
    provider,
    now,
  }: { readonly key: string; readonly provider: string | undefined; readonly now: number },
): Promise<Made | Forbidden<'invalid' | 'taken'>> {
  if (freedNameKey(name) !== freedNameKey(user.name)) {
    const externalId = await externalIdOf(unit, user, provider);
    const freed = await faultOfFreedName(unit, name, { userId: user.id, externalId, now });
    if (freed !== undefined) return freed;
    await keepFreedName(unit, user, externalId, now);
  }
  return renameUser(unit, user, name, key);
}

/** The rules, the time and the password of a change. */
interface ChangeParts {
  keyOf(name: string): string;
  readonly provider: string | undefined;
  readonly now: number;
  /** The hash of the wanted password. */
  readonly passwordHash: string | undefined;
}

/** Makes a user as it is wanted. Call it in a part of the unit that is undone if it is forbidden. */
export async function changeUserTo(
  unit: WriteUnit,
  user: User,
  { userName, externalId, active, profile }: UserWanted,
  { keyOf, provider, now, passwordHash }: ChangeParts,
): Promise<Made | Forbidden<'invalid' | 'taken' | 'elsewhere'>> {
  const name = userName ?? user.name;
  const renamed = await renameKept(unit, user, name, { key: keyOf(name), provider, now });
  if (isForbidden(renamed)) return renamed;
  const named = { ...user, name: name.normalize('NFC'), key: keyOf(name) };
  const steps = [
    externalId === undefined ? UNCHANGED : await externalIdSet(unit, named, externalId, { provider, now }),
    await changeProfile(unit, named, profile),
    active === undefined ? UNCHANGED : await setActive(unit, named, active),
    passwordHash === undefined || named.provider !== undefined
      ? UNCHANGED
      : await setPassword(unit, named, { passwordHash, mustChangePassword: false }, {}),
  ];
  const events: ChangeEvent[] = [...renamed.events];
  for (const step of steps) {
    if (isForbidden(step)) return step;
    events.push(...step.events);
  }
  return { events };
}
