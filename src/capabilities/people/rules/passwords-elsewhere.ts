import { type Change, changeWith, UNCHANGED } from '../../../core/domain/outcome.ts';
import type { Refusal } from '../../../core/domain/refusal.ts';
import type { HeldTicket } from '../../../core/domain/ticket.ts';
import type { User } from '../../../core/domain/user.ts';
import { keepTicket } from '../../../core/gate/tickets.ts';
import type { ReadUnit, WriteUnit } from '../../../core/storage/store.ts';

/** The old password of a user and the one that replaces it. */
export interface OldAndNew {
  readonly oldPassword: string;
  readonly newPassword: string;
}

/** Whether a user may change the own password, after whatever proof that takes. `now` is in epoch milliseconds. */
export type MayChange = (unit: ReadUnit, user: User, now: number) => Promise<boolean>;

type WhyNotReset = Refusal<'new_password_refused' | 'passwords_unavailable'>;
type WhyNotWritten = Refusal<'old_password_wrong'> | WhyNotReset;

/**
 * Writes passwords to what has them in place of the store, such as a directory. Its answers come outside of a transaction: what
 * was written is told to the store after it, by {@link noteWritten}.
 */
export interface PasswordsElsewhere {
  /** The provider of the users whose passwords it writes. */
  readonly provider: string;
  /** Whether users change their passwords by it. */
  readonly changes: boolean;
  /** Whether the owner of a link sets a forgotten password by it. */
  readonly resets: boolean;
  /** Writes the new password of a user who gives the old one. False, with nothing written, if it is not for it or the user may not. */
  change(userId: number, passwords: OldAndNew, mayChange: MayChange): Promise<boolean | WhyNotWritten>;
  /** Writes a new password of a user who has forgotten the old one. */
  reset(userId: number, newPassword: string): Promise<true | WhyNotReset>;
}

declare module '../../../core/operation.ts' {
  interface OperationTools {
    /** Missing if no user's password is written elsewhere. */
    readonly passwordsElsewhere?: PasswordsElsewhere;
  }
}

/** Whether users of this provider change their passwords by this. */
export const changesAt = (
  passwordsElsewhere: PasswordsElsewhere | undefined,
  provider: string | undefined,
): boolean => passwordsElsewhere?.changes === true && passwordsElsewhere.provider === provider;

/**
 * Notes that the user's password was written elsewhere, whatever has happened to the user meanwhile: every ticket ends but `held`, if
 * that is one of the user.
 */
export async function noteWritten(
  unit: WriteUnit,
  userId: number,
  heldTicket: HeldTicket | undefined,
): Promise<Change> {
  const user = await unit.users.find(userId);
  if (user === undefined) return UNCHANGED;
  const generation = user.generation + 1;
  await unit.users.change(user.id, { mustChangePassword: false, generation });
  if (heldTicket?.user.id === user.id) await keepTicket(unit, heldTicket.ticket.digest, generation);
  return changeWith({
    kind: 'password-changed',
    user: user.name,
    reason: `at the provider ${user.provider}`,
  });
}
