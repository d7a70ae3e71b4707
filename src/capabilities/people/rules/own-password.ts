import type { Change } from '../../../core/domain/outcome.ts';
import type { PasswordFault } from '../../../core/domain/password-fault.ts';
import { isRefusal, type Refusal, refuse } from '../../../core/domain/refusal.ts';
import type { HeldTicket } from '../../../core/domain/ticket.ts';
import type { PasswordPages, User } from '../../../core/domain/user.ts';
import { keepTicket } from '../../../core/gate/tickets.ts';
import type { ReadUnit, WriteUnit } from '../../../core/storage/store.ts';
import {
  type MayChange,
  noteWritten,
  type OldAndNew,
  type PasswordsElsewhere,
} from './passwords-elsewhere.ts';
import { passwordElsewhere, setPassword } from './users.ts';

/** A user whose old password was right, as the password check returns it. */
interface VerifiedOwner {
  readonly userId: number;
  readonly passwordHash: string | undefined;
  readonly recordSuccess?: (unit: WriteUnit) => Promise<void>;
}

/** The part of the password check that this rule needs. */
interface PasswordsOf<V extends VerifiedOwner> {
  checkOnPage(name: string, password: string): Promise<V | Refusal>;
  hashNew(
    name: string,
    password: string,
  ): Promise<string | Refusal<'new_password_refused' | 'hash_queue_full'>>;
}

/** A change of one's own password whose old one was right and whose new one passes the rules. */
export interface OwnPasswordChange<V extends VerifiedOwner> {
  readonly verified: V;
  /** The hash of the new password; undefined if the user has no password here. */
  readonly passwordHash: string | undefined;
  /** Whether the new password is the old one. */
  readonly isSame: boolean;
  /** Whether the new password is written already, where the user's password is kept. */
  readonly isWritten: boolean;
}

/** What has the password if it is not kept here, and whether the user may change it there now. */
interface ChangeElsewhere {
  readonly passwordsElsewhere: PasswordsElsewhere | undefined;
  readonly mayChange: MayChange;
}

type WhyNotOwn = 'old_password_wrong' | 'passwords_unavailable' | 'hash_queue_full';
type WhyNotPrepared = WhyNotOwn | 'new_password_refused';
type WhyNotChanged =
  | 'old_password_wrong'
  | 'new_password_refused'
  | 'password_of_another'
  | 'password_elsewhere';

/**
 * Checks the password of the user of this name, who has to prove again who it is. A wrong one counts as a failed login.
 */
export async function checkOwnPassword<V extends VerifiedOwner>(
  passwords: Pick<PasswordsOf<V>, 'checkOnPage'>,
  name: string,
  password: string,
): Promise<V | Refusal<WhyNotOwn>> {
  const verified = await passwords.checkOnPage(name, password);
  return isRefusal(verified) ? asOldPassword(verified) : verified;
}

/**
 * Checks the old password, and hashes the new one or writes it where the user's password is kept: slow work, outside of the transaction. A
 * wrong old password counts as a failed login.
 */
export async function prepareOwnPassword<V extends VerifiedOwner>(
  passwords: PasswordsOf<V>,
  name: string,
  { oldPassword, newPassword }: OldAndNew,
  elsewhere?: ChangeElsewhere,
): Promise<OwnPasswordChange<V> | Refusal<WhyNotPrepared>> {
  const verified = await checkOwnPassword(passwords, name, oldPassword);
  if (isRefusal(verified)) return verified;
  const isSame = oldPassword.normalize('NFC') === newPassword.normalize('NFC');
  if (verified.passwordHash === undefined) {
    const change = { oldPassword, newPassword };
    const isWritten =
      (await elsewhere?.passwordsElsewhere?.change(verified.userId, change, elsewhere.mayChange)) ?? false;
    return isRefusal(isWritten) ? isWritten : { verified, passwordHash: undefined, isSame, isWritten };
  }
  const passwordHash = await passwords.hashNew(name, newPassword);
  return isRefusal(passwordHash) ? passwordHash : { verified, passwordHash, isSame, isWritten: false };
}

/** The refusal of an old password, with its reason for the events. If it cannot be checked now, the refusal stays as it is. */
function asOldPassword({ refused, detail: _, ...rest }: Refusal): Refusal<WhyNotOwn> {
  if (refused === 'passwords_unavailable' || refused === 'hash_queue_full') return refuse(refused, rest);
  return refuse('old_password_wrong', { reason: refused, ...rest });
}

/** Who wants to change the own password: by a ticket, or by the app password of this name. */
interface OwnCaller {
  readonly heldTicket?: HeldTicket | undefined;
  readonly appPassword?: string | undefined;
}

/**
 * Whether a program calls, by an app password or a ticket of one: it could change the password of a user with a second factor,
 * who proves on the portal by that factor who it is.
 */
export async function isByAppPassword(
  { tickets }: Pick<ReadUnit, 'tickets'>,
  { heldTicket, appPassword }: OwnCaller,
): Promise<boolean> {
  if (heldTicket === undefined) return appPassword !== undefined;
  const [origin] = await tickets.originsOf([heldTicket.ticket]);
  return origin?.appPassword !== undefined;
}

/** The fault of a new password that is the old one. */
export const SAME_PASSWORD: PasswordFault = {
  code: 'same',
  sentence: 'the new password is the old one: choose another',
};

/**
 * Changes the password in this unit. `confirm` gives the user if the old password still is right. Every ticket of the user
 * ends but `held`, if that is one. A user who has to choose a new password may not choose the old one. A user without a
 * password has no own one to change, since any password logs it in.
 */
export async function changeOwnPassword<V extends VerifiedOwner>(
  unit: WriteUnit,
  { verified, passwordHash, isSame, isWritten }: OwnPasswordChange<V>,
  confirm: (verified: V) => Promise<User | undefined>,
  heldTicket: HeldTicket | undefined,
  pages: PasswordPages,
): Promise<Change | Refusal<WhyNotChanged>> {
  await verified.recordSuccess?.(unit);
  if (isWritten) return noteWritten(unit, verified.userId, heldTicket);
  const user = await confirm(verified);
  if (user === undefined) return refuse('old_password_wrong', { reason: 'changed meanwhile' });
  const elsewhere = passwordElsewhere(user, pages);
  if (elsewhere !== undefined) return elsewhere;
  if (passwordHash === undefined) return refuse('password_of_another');
  if (user.mustChangePassword && isSame)
    return refuse('new_password_refused', { detail: SAME_PASSWORD.sentence, passwordFault: SAME_PASSWORD });
  const outcome = await setPassword(unit, user, { passwordHash, mustChangePassword: false }, pages);
  if (isRefusal(outcome)) return outcome;
  if (heldTicket?.user.id === user.id) await keepTicket(unit, heldTicket.ticket.digest, user.generation + 1);
  return outcome;
}
