import type { Actor } from './administration.ts';
import { groupKey } from './group.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { User } from './user.ts';

/** When the service asks for a second factor (specification, section 21). */
export interface SecondFactorRules {
  /** Never; of users who have one; of every user, who then has to have one. */
  readonly mode: 'off' | 'optional' | 'required';
  /** The names of groups whose members have to have one. */
  readonly groups: readonly string[];
  /** Milliseconds for which a user without one may go on, from the first login at which it was required. */
  readonly grace: number;
}

/** What the service asks of a user beside the right password. Times are epoch milliseconds. */
export type FactorDemand =
  | { readonly asks: 'nothing' }
  /** The user has a second factor: the sign-in asks for it, and programs need app passwords. */
  | { readonly asks: 'factor' }
  /** The user has to have one, and may go on without it until `until`. */
  | { readonly asks: 'soon'; readonly until: number }
  /** The user has to register one before anything else, and programs need app passwords. */
  | { readonly asks: 'registration' };

/** How programs of users with and without a second factor are treated. */
export interface FactorsOfPrograms {
  /** Whether users with a second factor are asked for it. Then their passwords alone are not enough for programs. */
  readonly asksSecondFactor: boolean;
  /** Whether programs of a user without a second factor are refused, too. Missing if no user has to have one. */
  readonly refusesWithoutFactor?: ((user: User) => Promise<boolean>) | undefined;
}

/** A user, as far as its second factor goes. */
export type FactorUser = Pick<User, 'hasSecondFactor' | 'secondFactorAskedAt'>;

/** Whether these rules can require a second factor of a user of these groups. */
export function isFactorRequired(
  { mode, groups }: SecondFactorRules,
  groupsOfUser: readonly { readonly key: string }[],
): boolean {
  if (mode !== 'optional') return mode === 'required';
  const keys = new Set(groups.map(groupKey));
  return groupsOfUser.some(({ key }) => keys.has(key));
}

/** What the service asks of a user at `now`. `isRequired` says whether the user has to have a second factor. */
export function demandOf(
  { hasSecondFactor, secondFactorAskedAt }: FactorUser,
  { mode, grace }: SecondFactorRules,
  isRequired: boolean,
  now: number,
): FactorDemand {
  if (mode === 'off') return { asks: 'nothing' };
  if (hasSecondFactor) return { asks: 'factor' };
  if (!isRequired) return { asks: 'nothing' };
  const until = (secondFactorAskedAt || now) + grace;
  return now < until ? { asks: 'soon', until } : { asks: 'registration' };
}

/**
 * Refuses the change of a credential by the user itself outside of the account page, if the user has a second factor: a ticket
 * does not tell whether that factor was given. Undefined for a user without one, or if sign-ins ask for none.
 */
export function refusalWithoutProof(
  { hasSecondFactor }: Pick<User, 'hasSecondFactor'>,
  asksSecondFactor: boolean,
): Refusal<'proof_needed'> | undefined {
  return hasSecondFactor && asksSecondFactor ? refuse('proof_needed') : undefined;
}

/** As {@link refusalWithoutProof}, for a change by an actor: undefined also if another user or an API key makes it. */
export function refusalOfOwnChange(
  user: Pick<User, 'id' | 'hasSecondFactor'>,
  { user: own }: Actor,
  asksSecondFactor: boolean,
): Refusal<'proof_needed'> | undefined {
  return own?.id === user.id ? refusalWithoutProof(user, asksSecondFactor) : undefined;
}

/** The secret of a user's authenticator app, encrypted (RFC 6238). */
export interface TotpSecret {
  readonly userId: number;
  /** As `Sealer` encrypted it for the purpose of {@link totpPurpose}. */
  readonly secret: Buffer;
  /** Epoch milliseconds. */
  readonly madeAt: number;
  /** The time step of the last code that was accepted: no code of it or of an earlier one is accepted again. */
  readonly lastStep: number;
}

/** The purpose for which secrets of authenticator apps are sealed: the user, so that no secret works for another one. */
export const totpPurpose = (userId: number): string => `totp ${userId}`;

/** How many recovery codes a user gets at a time. */
export const RECOVERY_CODES = 10;
/** Random bytes in a recovery code: 112 bits. A code of fewer would need a slow hash (ASVS 5.0, 6.5.2). */
export const RECOVERY_CODE_BYTES = 14;

/** The recovery code of these random bytes: hex digits in groups of four. */
export function makeRecoveryCode(random: Buffer): string {
  return (random.toString('hex').match(/.{4}/g) ?? []).join('-');
}

const RECOVERY_CODE = /^[0-9a-f]{28}$/;

/** A typed recovery code in the form that is digested: its hex digits alone. Undefined if it is none. */
export function typedRecoveryCode(text: string): string | undefined {
  const digits = text.replaceAll(/[\s-]/g, '').toLowerCase();
  return RECOVERY_CODE.test(digits) ? digits : undefined;
}

/** A typed one-time password as its six digits. Undefined if it is none. */
export function typedOneTimePassword(text: string): string | undefined {
  const digits = text.replaceAll(/\s/g, '');
  return /^\d{6}$/.test(digits) ? digits : undefined;
}
