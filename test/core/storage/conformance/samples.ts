import { createHash } from 'node:crypto';
import type { TestContext } from 'node:test';
import type { AppPassword } from '../../../../src/core/domain/app-password.ts';
import type { Event } from '../../../../src/core/domain/event.ts';
import type { Counter } from '../../../../src/core/domain/lockout.ts';
import {
  bytesOf,
  type Digest,
  type KeptTicket,
  type TicketOrigin,
} from '../../../../src/core/domain/ticket.ts';
import { type User, userKey } from '../../../../src/core/domain/user.ts';
import type {
  LoginAttempt,
  ReadUnit,
  Store,
  StoredThrottleState,
} from '../../../../src/core/storage/store.ts';

/** Makes an empty store for one test, closed and gone after it. */
export type MakeStore = (t: TestContext) => Promise<Store>;

/** The time around which everything here happens, at the start of a minute. */
export const NOW = Date.UTC(2026, 1, 3, 4, 5);
export const MINUTE = 60_000;

/** A user that is not yet added. */
export function aUser(name: string, more: Partial<Omit<User, 'id'>> = {}): Omit<User, 'id'> {
  return {
    key: userKey(name),
    name,
    administrator: false,
    passwordHash: '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA',
    disabled: false,
    lockedUntil: 0,
    generation: 0,
    mustChangePassword: false,
    provider: undefined,
    hasSecondFactor: false,
    secondFactorAskedAt: 0,
    lastLoginAt: 0,
    ...more,
  };
}

/** Adds a user whose name is free. */
export async function addUser(store: Store, name: string, more?: Partial<Omit<User, 'id'>>): Promise<User> {
  const added = await store.write((unit) => unit.users.add(aUser(name, more)));
  if (added === undefined) throw new Error(`${name} is taken`);
  return added;
}

/** The digest of the `n`th ticket. */
export function aDigest(n: number): Digest {
  return createHash('sha256').update(`ticket ${n}`).digest('hex') as Digest;
}

/** The `n`th ticket, of this user. */
export function aTicket(n: number, user: Pick<User, 'id' | 'generation'>, more: Partial<KeptTicket> = {}) {
  const at = { issuedAt: NOW, usedAt: NOW };
  const ticket = {
    digest: aDigest(n),
    userId: user.id,
    userGeneration: user.generation,
    serverGeneration: 0,
  };
  return { ...ticket, ...at, ...more } satisfies Required<KeptTicket>;
}

/** Keeps these tickets, in one unit. */
export function issue(store: Store, ...tickets: readonly KeptTicket[]): Promise<void> {
  return store.write(async (unit) => {
    for (const ticket of tickets) await unit.tickets.issue(ticket);
  });
}

/** Keeps a ticket that was issued there. */
export function issueFrom(store: Store, origin: TicketOrigin, ticket: KeptTicket): Promise<void> {
  return store.write(async ({ tickets }) => {
    await tickets.issue(ticket);
    await tickets.setOrigin(ticket, origin);
  });
}

/** The `n`th app password, of this user. */
export function anAppPassword(
  n: number,
  userId: number,
  name: string,
  more: Partial<AppPassword> = {},
): AppPassword {
  const times = { madeAt: NOW, expiresAt: undefined, usedAt: undefined };
  return { userId, name, digest: bytesOf(aDigest(n)), ...times, addresses: [], ...more };
}

/** The key of a counter. */
export function aKey(of: string): string {
  return createHash('sha256').update(of).digest('hex');
}

export function aCounter(more: Partial<Counter> = {}): Counter {
  return { failures: 1, since: NOW, lastFailureAt: NOW, waitUntil: 0, ...more };
}

/** An attempt to log in under this name, from an address. */
export function aTry(userKey: string, address = '192.0.2.1'): LoginAttempt {
  const own = (which: string) => aKey(`${which} ${userKey} ${address}`);
  const keys = {
    name: aKey(userKey),
    pair: own('pair'),
    subscriber: own('subscriber'),
    site: own('site'),
    address: aKey(address),
  };
  return { userKey, address, keys };
}

/** The fields of a throttle state that the port promises. */
export const shown = ({ user, counters, familiarSince }: StoredThrottleState) => ({
  user,
  counters,
  familiarSince,
});

/** The counter under this key, as a unit finds it. */
export async function counterOf({ attempts }: Pick<ReadUnit, 'attempts'>, key: string) {
  const keys = { name: key, pair: key, subscriber: key, site: key, address: key };
  return (await attempts.throttleState({ userKey: undefined, address: '', keys })).counters.name;
}

/** When the address last logged in the user of this key, as a unit finds it. */
export async function familiarSince(
  { attempts }: Pick<ReadUnit, 'attempts'>,
  userKey: string,
  address: string,
) {
  return (await attempts.throttleState(aTry(userKey, address))).familiarSince;
}

/** Keeps these events, in one unit. */
export function append(store: Store, ...events: readonly Event[]): Promise<void> {
  return store.write(async (unit) => {
    for (const event of events) await unit.events.append(event);
  });
}

/** How many users, tickets and events the store shows. */
export function contents(store: Store): Promise<{ users: number; tickets: number; events: number }> {
  return store.read(async (unit) => ({
    users: await unit.users.count(),
    tickets: (await unit.tickets.page(undefined, 1_000)).length,
    events: (await unit.events.list({})).length,
  }));
}
