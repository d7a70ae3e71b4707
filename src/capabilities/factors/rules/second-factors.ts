import type { ChangeEvent } from '../../../core/domain/event.ts';
import { type Change, UNCHANGED } from '../../../core/domain/outcome.ts';
import type { Passkey } from '../../../core/domain/passkey.ts';
import {
  demandOf,
  type FactorDemand,
  isFactorRequired,
  type SecondFactorRules,
} from '../../../core/domain/second-factor.ts';
import { isPasswordless, type User } from '../../../core/domain/user.ts';
import type { ReadUnit, WriteUnit } from '../../../core/storage/store.ts';

/** The second factors of a user. Times are epoch milliseconds. */
export interface SecondFactorsOfUser {
  /** When the authenticator app was registered; undefined without one. */
  readonly appSince: number | undefined;
  readonly passkeys: readonly Passkey[];
  /** How many recovery codes are left. */
  readonly recoveryCodes: number;
}

/** The second factors of the user. */
export async function secondFactorsOf(unit: ReadUnit, userId: number): Promise<SecondFactorsOfUser> {
  const [app, passkeys, recoveryCodes] = await Promise.all([
    unit.totpSecrets.find(userId),
    unit.passkeys.ofUser(userId),
    unit.recoveryCodes.countOf(userId),
  ]);
  return { appSince: app?.madeAt, passkeys, recoveryCodes };
}

/** What the service asks of the user at `now` beside the right password. */
export async function factorDemandOf(
  unit: Pick<ReadUnit, 'groups'>,
  user: User,
  rules: SecondFactorRules,
  now: number,
): Promise<FactorDemand> {
  if (isPasswordless(user)) return { asks: 'nothing' };
  const asksGroups = rules.mode === 'optional' && rules.groups.length > 0 && !user.hasSecondFactor;
  const groups = asksGroups ? await unit.groups.ofUser(user.id) : [];
  return demandOf(user, rules, isFactorRequired(rules, groups), now);
}

/** Notes when a second factor was first asked of the user: the time for registering one begins. */
export async function noteFactorAsked(
  unit: Pick<WriteUnit, 'users'>,
  { id, secondFactorAskedAt }: User,
  now: number,
): Promise<void> {
  if (secondFactorAskedAt === 0) await unit.users.change(id, { secondFactorAskedAt: now });
}

/**
 * Keeps `hasSecondFactor` true exactly while the user has a confirmed authenticator app or a passkey. Call it after each
 * change of either. With the last of them the recovery codes go.
 */
export async function updateSecondFactorFlag(
  unit: WriteUnit,
  user: Pick<User, 'id' | 'hasSecondFactor'>,
): Promise<void> {
  const { appSince, passkeys } = await secondFactorsOf(unit, user.id);
  const has = appSince !== undefined || passkeys.length > 0;
  if (!has) await unit.recoveryCodes.put(user.id, []);
  if (user.hasSecondFactor !== has) await unit.users.change(user.id, { hasSecondFactor: has });
}

const changed = (user: Pick<User, 'name'>, kind: ChangeEvent['kind'], reason: string): ChangeEvent => ({
  kind,
  user: user.name,
  reason,
});

/** What the user's events call an authenticator app. */
export const APP = 'authenticator app';

/** Keeps the encrypted secret of an app that the user has confirmed by the code of this time step, in place of another app. */
export async function addApp(
  unit: WriteUnit,
  user: User,
  { secret, step, now }: { readonly secret: Buffer; readonly step: number; readonly now: number },
): Promise<Change> {
  await unit.totpSecrets.put({ userId: user.id, secret, madeAt: now, lastStep: step });
  await updateSecondFactorFlag(unit, user);
  return { events: [changed(user, 'second-factor-added', APP)] };
}

/** Removes the user's authenticator app. */
export async function removeApp(unit: WriteUnit, user: User): Promise<Change> {
  if (!(await unit.totpSecrets.remove(user.id))) return UNCHANGED;
  await updateSecondFactorFlag(unit, user);
  return { events: [changed(user, 'second-factor-removed', APP)] };
}

/** Replaces the recovery codes of the user by those with these digests. */
export async function replaceRecoveryCodes(
  unit: WriteUnit,
  user: Pick<User, 'id' | 'name'>,
  digests: readonly Buffer[],
): Promise<Change> {
  await unit.recoveryCodes.put(user.id, digests);
  return { events: [{ kind: 'recovery-codes-made', user: user.name }] };
}

/** Removes the user's recovery codes, for example because somebody else has seen them. */
export async function removeRecoveryCodes(unit: WriteUnit, user: Pick<User, 'id' | 'name'>): Promise<Change> {
  if ((await unit.recoveryCodes.countOf(user.id)) === 0) return UNCHANGED;
  await unit.recoveryCodes.put(user.id, []);
  return { events: [changed(user, 'second-factor-removed', 'recovery codes')] };
}

/**
 * Removes every second factor of the user, for example because the phone is lost. `forgetCodes` clears the count of wrong codes of
 * the user with this key: earlier guesses tell an attacker nothing about the codes of the next app.
 */
export async function resetSecondFactors(
  unit: WriteUnit,
  user: User,
  forgetCodes: (unit: WriteUnit, key: string) => Promise<void>,
): Promise<Change> {
  const { appSince, passkeys, recoveryCodes } = await secondFactorsOf(unit, user.id);
  if (appSince === undefined && passkeys.length === 0 && recoveryCodes === 0) return UNCHANGED;
  await unit.totpSecrets.remove(user.id);
  for (const { credentialId } of passkeys) await unit.passkeys.remove(credentialId);
  await updateSecondFactorFlag(unit, user);
  await forgetCodes(unit, user.key);
  // The time for registering another one begins anew.
  await unit.users.change(user.id, { secondFactorAskedAt: 0 });
  return { events: [{ kind: 'second-factor-reset', user: user.name }] };
}
