import type { Change } from '../../../core/domain/outcome.ts';
import { isRefusal } from '../../../core/domain/refusal.ts';
import type { WriteUnit } from '../../../core/storage/store.ts';
import { setPassword, unlockUser } from '../../people/rules/users.ts';
import { type LinkSecret, liveLink } from '../links.ts';
import type { PasswordLinkTools } from '../tools.ts';

/** A password that the owner of a link has chosen. */
interface ChosenPassword {
  readonly secret: LinkSecret;
  /** The user whom the hash was made for, by its name. */
  readonly owner: string;
  readonly passwordHash: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Sets the password that the owner of a link chose, and uses up all links of the user. All tickets end, and so does a lock-out by
 * failures. A second factor stays, and the next sign-in asks for it. Undefined, with nothing changed, if the link does not work.
 */
export async function choosePassword(
  unit: WriteUnit,
  { secret, owner, passwordHash, now }: ChosenPassword,
  { forgetFailures }: PasswordLinkTools,
): Promise<Change | undefined> {
  const live = await liveLink(unit, secret, now);
  if (live === undefined || live.user.name !== owner) return undefined;
  const { user } = live;
  if ((await unit.passwordLinks.removeOf(user.id)) === 0) return undefined;
  const set = await setPassword(unit, user, { passwordHash, mustChangePassword: false }, {});
  if (isRefusal(set)) return undefined;
  const events = set.events.map((event) => ({ ...event, reason: `by a link: ${secret.id}` }));
  if (user.lockedUntil > now)
    return { events: [...events, ...(await unlockUser(unit, user, forgetFailures)).events] };
  await forgetFailures(unit, user.key);
  return { events };
}
