import type { Change } from '../../../core/domain/outcome.ts';
import type { PasswordFault } from '../../../core/domain/password-fault.ts';
import { isRefusal, type Refusal, refuse } from '../../../core/domain/refusal.ts';
import type { HeldTicket } from '../../../core/domain/ticket.ts';
import type { PasswordPages, User } from '../../../core/domain/user.ts';
import type { WriteUnit } from '../../../core/storage/store.ts';
import { passwordElsewhere, setPassword } from './users.ts';

/** A user whose old password was right, as the password check returns it. */
interface VerifiedOwner {
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
 * Checks the old password and hashes the new one: slow work, outside of the transaction. A wrong old password counts as a
 * failed login.
 */
export async function prepareOwnPassword<V extends VerifiedOwner>(
  passwords: PasswordsOf<V>,
  name: string,
  { oldPassword, newPassword }: { readonly oldPassword: string; readonly newPassword: string },
): Promise<OwnPasswordChange<V> | Refusal<WhyNotPrepared>> {
  const verified = await checkOwnPassword(passwords, name, oldPassword);
  if (isRefusal(verified)) return verified;
  const isSame = oldPassword.normalize('NFC') === newPassword.normalize('NFC');
  if (verified.passwordHash === undefined) return { verified, passwordHash: undefined, isSame };
  const passwordHash = await passwords.hashNew(name, newPassword);
  return isRefusal(passwordHash) ? passwordHash : { verified, passwordHash, isSame };
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
  { tickets }: Pick<WriteUnit, 'tickets'>,
  { heldTicket, appPassword }: OwnCaller,
): Promise<boolean> {
  if (heldTicket === undefined) return appPassword !== undefined;
  const [origin] = await tickets.originsOf([heldTicket.ticket]);
  return origin?.appPassword !== undefined;
}

const SAME: PasswordFault = {
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
  { verified, passwordHash, isSame }: OwnPasswordChange<V>,
  confirm: (verified: V) => Promise<User | undefined>,
  heldTicket: HeldTicket | undefined,
  pages: PasswordPages,
): Promise<Change | Refusal<WhyNotChanged>> {
  await verified.recordSuccess?.(unit);
  const user = await confirm(verified);
  if (user === undefined) return refuse('old_password_wrong', { reason: 'changed meanwhile' });
  const elsewhere = passwordElsewhere(user, pages);
  if (elsewhere !== undefined) return elsewhere;
  if (passwordHash === undefined) return refuse('password_of_another');
  if (user.mustChangePassword && isSame)
    return refuse('new_password_refused', { detail: SAME.sentence, passwordFault: SAME });
  const outcome = await setPassword(unit, user, { passwordHash, mustChangePassword: false }, pages);
  if (isRefusal(outcome)) return outcome;
  if (heldTicket?.user.id === user.id)
    await unit.tickets.moveToGeneration(heldTicket.ticket.digest, user.generation + 1);
  return outcome;
}
