import { createHash, randomBytes } from 'node:crypto';
import { isRefusal, type Refusal } from '../../core/domain/refusal.ts';
import { isLockedByHand, type User } from '../../core/domain/user.ts';
import type { Passwords } from '../../core/identity/passwords.ts';
import type { ReadUnit, WriteUnit } from '../../core/storage/store.ts';
import type { LinkPurpose, PasswordLink } from './tables/password-links.ts';

/** How long a link for a forgotten password works, in milliseconds. */
export const RESET_LIFETIME = 20 * 60_000;

const KEY_BYTES = 32;

/** Hashes a random password for a user who will choose one by a link. Nobody learns the random one. */
export async function unguessableHash(
  passwords: Pick<Passwords, 'hashNew'>,
): Promise<string | Refusal<'hash_queue_full'>> {
  const hash = await passwords.hashNew('', randomBytes(KEY_BYTES).toString('base64url'));
  if (!isRefusal(hash) || hash.refused === 'hash_queue_full')
    return hash as string | Refusal<'hash_queue_full'>;
  throw new Error('a password of 256 random bits was refused');
}

export const CHOOSE_PASSWORD = '/portal/choose-password';

/** What a link tells: its purpose, which the v1 API calls its id, and its secret. */
export interface LinkSecret {
  readonly id: string;
  readonly key: string;
}

const digestOf = ({ id, key }: LinkSecret) => createHash('sha256').update(`${id} ${key}`).digest();

/**
 * Keeps the digest of a new link, in place of an earlier one for the same purpose. Returns its address below the portal's: its secret is
 * nowhere else.
 */
export async function newLink(
  { passwordLinks }: Pick<WriteUnit, 'passwordLinks'>,
  { id: userId, generation }: User,
  purpose: LinkPurpose,
  expiresAt: number,
): Promise<string> {
  const secret = { id: purpose, key: randomBytes(KEY_BYTES).toString('base64url') };
  await passwordLinks.put({ userId, purpose, digest: digestOf(secret), generation, expiresAt });
  return `${CHOOSE_PASSWORD}?${new URLSearchParams(secret)}`;
}

/** Whether a link for this purpose sets the password of the user where it is kept, which is not here. */
export const isResetAt = (
  { provider }: Pick<User, 'provider'>,
  purpose: LinkPurpose,
  resetsAt: string | undefined,
): boolean => provider !== undefined && provider === resetsAt && purpose === 'password-reset';

export interface LiveLink {
  readonly link: PasswordLink;
  readonly user: User;
}

/**
 * The link with this secret and its user, if it works at `now`. Since it was sent, neither has the password changed nor have all
 * tickets ended; the user is not disabled, not locked by hand, and not of a directory or identity provider, but for the one where
 * forgotten passwords are set by links (`resetsAt`).
 */
export async function liveLink(
  { passwordLinks, users }: Pick<ReadUnit, 'passwordLinks' | 'users'>,
  secret: LinkSecret,
  now: number,
  resetsAt: string | undefined,
): Promise<LiveLink | undefined> {
  const link = await passwordLinks.find(digestOf(secret));
  if (link === undefined || link.expiresAt <= now) return undefined;
  const user = await users.find(link.userId);
  if (user === undefined || user.generation !== link.generation) return undefined;
  const isElsewhere = user.provider !== undefined && !isResetAt(user, link.purpose, resetsAt);
  const isBarred = user.disabled || isLockedByHand(user) || isElsewhere;
  return isBarred ? undefined : { link, user };
}
