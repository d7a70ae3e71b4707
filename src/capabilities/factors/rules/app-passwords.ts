import { parseBlock } from '../../../core/domain/address-block.ts';
import {
  type AppPassword,
  faultOfAppPasswordName,
  MOST_ADDRESS_BLOCKS,
  MOST_APP_PASSWORDS,
} from '../../../core/domain/app-password.ts';
import type { ChangeEvent } from '../../../core/domain/event.ts';
import { type Change, changeWith } from '../../../core/domain/outcome.ts';
import { type Refusal, refuse } from '../../../core/domain/refusal.ts';
import { shortDigest } from '../../../core/domain/ticket.ts';
import { isPasswordless, type User } from '../../../core/domain/user.ts';
import type { WriteUnit } from '../../../core/storage/store.ts';

/** An app password to be made. */
export interface AppPasswordToMake {
  readonly name: string;
  /** The SHA-256 of the app password. */
  readonly digest: Buffer;
  /** Epoch milliseconds; undefined if it never ends. */
  readonly expiresAt: number | undefined;
  /** Addresses and CIDR blocks, as a person writes them. Any address may use it if there are none. */
  readonly addresses: readonly string[];
}

type WhyNotMade = Refusal<'body_invalid' | 'name_taken' | 'password_needed'>;

/**
 * Makes an app password for a user that this unit has locked: `users.find` does. Forbids it for a disabled user, for a user
 * without a password, whom any password logs in, and beyond {@link MOST_APP_PASSWORDS}. `now` is in epoch milliseconds.
 */
export async function makeAppPasswordFor(
  unit: WriteUnit,
  user: User,
  request: AppPasswordToMake,
  now: number,
): Promise<(Change & { readonly appPassword: AppPassword }) | WhyNotMade> {
  const { name, digest, expiresAt } = request;
  const addresses = [...new Set(request.addresses.map((text) => parseBlock(text.trim())))];
  const fault = faultOfAsked(request, now) ?? (addresses.includes(undefined) ? NO_BLOCK : undefined);
  if (fault !== undefined) return refuse('body_invalid', { detail: fault });
  const bar = await barOf(unit, user);
  if (bar !== undefined) return bar;
  const appPassword: AppPassword = {
    userId: user.id,
    name,
    digest,
    madeAt: now,
    expiresAt,
    usedAt: undefined,
    addresses: addresses.filter((block) => block !== undefined),
  };
  if (!(await unit.appPasswords.add(appPassword)))
    return refuse('name_taken', {
      detail: `"${user.name}" has an app password "${name}" already: choose another name, or remove that one first`,
    });
  return { appPassword, ...changeWith({ kind: 'app-password-added', user: user.name, reason: name }) };
}

const NO_BLOCK =
  'an address of an app password is an IPv4 address, a block such as 192.0.2.0/24, or an IPv6 block of /64 or wider such as 2001:db8::/64';

function faultOfAsked({ name, expiresAt, addresses }: AppPasswordToMake, now: number): string | undefined {
  const fault = faultOfAppPasswordName(name);
  if (fault !== undefined) return fault;
  if (expiresAt !== undefined && !(expiresAt > now)) return 'this time is over already: name a later one';
  if (addresses.length > MOST_ADDRESS_BLOCKS)
    return `an app password has ${MOST_ADDRESS_BLOCKS} addresses at most: name a block that contains several`;
  return undefined;
}

/** Why the user can have no further app password. */
async function barOf(
  unit: WriteUnit,
  user: User,
): Promise<Refusal<'body_invalid' | 'password_needed'> | undefined> {
  if (user.disabled)
    return refuse('body_invalid', { detail: `"${user.name}" is disabled: enable the user first` });
  if (isPasswordless(user))
    return refuse('password_needed', {
      detail:
        'a user without a password has no app passwords, since anybody can log in as it: give it a password first',
    });
  const own = await unit.appPasswords.ofUser(user.id);
  if (own.length < MOST_APP_PASSWORDS) return undefined;
  return refuse('body_invalid', {
    detail: `"${user.name}" has ${MOST_APP_PASSWORDS} app passwords, which is the most: remove one that is no longer used`,
  });
}

/** If more tickets than this end at once, one event stands for all of them. */
const MOST_EVENTS = 100;

/**
 * Removes the user's app password of this name, and ends every ticket that came from it. Returns undefined if there is none.
 * A login by it that has not committed yet issues no ticket.
 */
export async function removeAppPassword(
  unit: WriteUnit,
  { id, name: user }: Pick<User, 'id' | 'name'>,
  name: string,
  why?: 'expired',
): Promise<Change | undefined> {
  // A login confirms its app password behind the same lock.
  await unit.users.find(id);
  if (!(await unit.appPasswords.remove(id, name))) return undefined;
  const reason = `app password ${name}`;
  const digests = await endTicketsFrom(unit, id, name);
  const ended: ChangeEvent[] =
    digests.length > MOST_EVENTS
      ? [{ kind: 'tickets-revoked', user, reason }]
      : digests.map((digest) => ({ kind: 'ticket-revoked', user, digest, reason }));
  const removed = why === undefined ? name : `${name} (${why})`;
  return { events: [{ kind: 'app-password-removed', user, reason: removed }, ...ended] };
}

/** Removes all app passwords of the user, with the tickets that came from them. */
export async function removeAppPasswords(unit: WriteUnit, user: User): Promise<Change> {
  const events: ChangeEvent[] = [];
  for (const { name } of await unit.appPasswords.ofUser(user.id))
    events.push(...((await removeAppPassword(unit, user, name))?.events ?? []));
  return { events };
}

/** Ends the tickets that came from the user's app password. Returns the first digits of their digests. */
async function endTicketsFrom({ tickets }: WriteUnit, userId: number, name: string): Promise<string[]> {
  const keptTickets = await tickets.listOf(userId);
  const origins = await tickets.originsOf(keptTickets);
  const from = keptTickets.filter((_, at) => origins[at]?.appPassword === name);
  const ended: string[] = [];
  for (const { digest } of from) if (await tickets.end(digest)) ended.push(shortDigest(digest));
  return ended;
}

/**
 * Removes an app password that expired, with its tickets, and writes the events of that at `now`. Returns false if it is gone
 * already.
 */
export async function removeExpiredAppPassword(
  unit: WriteUnit,
  expired: AppPassword,
  now: number,
): Promise<boolean> {
  const user = await unit.users.find(expired.userId);
  const appPassword = await unit.appPasswords.find(expired.userId, expired.name);
  // Another instance may have removed it, and its user may have made another one of this name.
  if (user === undefined || appPassword === undefined || !appPassword.digest.equals(expired.digest))
    return false;
  const outcome = await removeAppPassword(unit, user, expired.name, 'expired');
  for (const event of outcome?.events ?? []) await unit.events.append({ ...event, at: now });
  return true;
}
