import type { Change } from '../../../core/domain/outcome.ts';
import { isRefusal, type Refusal } from '../../../core/domain/refusal.ts';
import { isLockedByHand, type User } from '../../../core/domain/user.ts';
import type { Passwords } from '../../../core/identity/passwords.ts';
import type { WriteUnit } from '../../../core/storage/store.ts';
import { noteWritten, type PasswordsElsewhere } from '../../people/rules/passwords-elsewhere.ts';
import { setPassword, unlockUser } from '../../people/rules/users.ts';
import { type LinkSecret, liveLink } from '../links.ts';
import type { PasswordLinkTools } from '../tools.ts';

interface ChosenPassword {
  readonly secret: LinkSecret;
  /** The user when it was chosen. */
  readonly owner: User;
  /** Its hash; undefined if it is written already, where the user's password is kept. The link is used up then. */
  readonly passwordHash: string | undefined;
}

interface ChoiceTools {
  readonly passwords: Pick<Passwords, 'hashNew'>;
  readonly passwordLinks?: PasswordLinkTools;
  readonly passwordsElsewhere?: PasswordsElsewhere;
}

/**
 * Hashes a password that the owner of a link chose, or writes it where the user's password is kept: slow work, outside of the transaction.
 * Undefined if the link does not work, or is not for this user. A password that is refused leaves the link.
 */
export async function prepareChoice(
  secret: LinkSecret,
  password: string,
  { passwords, passwordLinks, passwordsElsewhere }: ChoiceTools,
  isFor: (user: User) => boolean = () => true,
): Promise<
  ChosenPassword | undefined | Refusal<'new_password_refused' | 'hash_queue_full' | 'passwords_unavailable'>
> {
  const live = await passwordLinks?.ownerOf(secret);
  if (live === undefined || !isFor(live.user)) return undefined;
  const { user: owner } = live;
  if (owner.provider === undefined) {
    const passwordHash = await passwords.hashNew(owner.name, password);
    return isRefusal(passwordHash) ? passwordHash : { secret, owner, passwordHash };
  }
  if (passwordLinks === undefined || passwordsElsewhere === undefined) return undefined;
  // Used up first, so that of two requests one alone writes.
  const taken = await passwordLinks.take(secret);
  if (taken === undefined) return undefined;
  let written: Awaited<ReturnType<PasswordsElsewhere['reset']>> | undefined;
  try {
    written = await passwordsElsewhere.reset(owner.id, password);
  } finally {
    if (written !== true) await passwordLinks.putBack(taken.link);
  }
  return written === true ? { secret, owner, passwordHash: undefined } : written;
}

/** Notes a password in the store, in this unit. Undefined if the link does not work any more. */
async function writeChosen(
  unit: WriteUnit,
  { secret, owner, passwordHash }: ChosenPassword,
  now: number,
): Promise<Change | undefined> {
  if (passwordHash === undefined) {
    await unit.passwordLinks.removeOf(owner.id);
    return noteWritten(unit, owner.id, undefined);
  }
  const live = await liveLink(unit, secret, now, undefined);
  if (live === undefined || live.user.name !== owner.name) return undefined;
  if ((await unit.passwordLinks.removeOf(owner.id)) === 0) return undefined;
  const set = await setPassword(unit, live.user, { passwordHash, mustChangePassword: false }, {});
  return isRefusal(set) ? undefined : set;
}

/**
 * Sets the password that the owner of a link chose, and uses up all links of the user. All tickets end, and so does a lock-out by
 * failures. A second factor stays, and the next sign-in asks for it. Undefined, with nothing changed, if the link does not work.
 */
export async function choosePassword(
  unit: WriteUnit,
  chosen: ChosenPassword,
  now: number,
  { forgetFailures }: PasswordLinkTools,
): Promise<Change | undefined> {
  const user = await unit.users.find(chosen.owner.id);
  const set = user && (await writeChosen(unit, chosen, now));
  if (user === undefined || set === undefined) return undefined;
  const events = set.events.map((event) => ({ ...event, reason: `by a link: ${chosen.secret.id}` }));
  // A lock by hand has no end, and stays.
  if (user.lockedUntil > now && !isLockedByHand(user))
    return { events: [...events, ...(await unlockUser(unit, user, forgetFailures)).events] };
  await forgetFailures(unit, user.key);
  return { events };
}
