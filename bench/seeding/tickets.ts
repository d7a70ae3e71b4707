import { newUser } from '../../src/core/domain/user.ts';
import { digestOf } from '../../src/core/gate/tickets.ts';
import { hashPassword } from '../../src/core/identity/password-hash.ts';
import { hashCostIn, lifetimeIn } from '../../src/core/settings/derived.ts';
import type { Store } from '../../src/core/storage/store.ts';
import { readSettings } from '../../src/main/settings.ts';
import { openSqlite } from '../../test/service/stores.ts';
import { ticketOf } from './draws.ts';

/** The password of every user. All users have the same hash, which does not change the cost of a check. */
export const PASSWORD = 'correct-horse-battery';

/** Tickets of each user. */
export const PER_USER = 10;
/** Rows in one write unit. */
const BATCH = 100_000;
const DEADLINE = 30 * 60_000;

/**
 * The settings of a service on a seeded store. A use is written once in a tenth of the inactivity time. With the default of
 * an hour, most uses would be due during a run.
 */
export const SEEDED_FOR = { TESSERA_TICKET_IDLE: 'P1D' };

const { settings } = readSettings({ flags: {}, env: SEEDED_FOR });

/** The lifetime of tickets in a seeded store. */
export const LIFETIME = lifetimeIn(settings);

/** The number of users for a number of tickets. */
export const usersFor = (tickets: number) => Math.ceil(tickets / PER_USER);

/** The name of the user with this number, from 0 on. */
export const nameOf = (number: number) => `user-${number}`;

/** The number of the user of the ticket with this number. */
export const holderOf = (ticket: number) => Math.floor(ticket / PER_USER);

/** The hash of {@link PASSWORD} at the default cost. */
export function passwordHash(): Promise<string> {
  return hashPassword(PASSWORD, hashCostIn(settings));
}

async function addUsers(store: Store, users: number): Promise<void> {
  const stored = await passwordHash();
  await store.write(async (unit) => {
    for (let number = 0; number < users; number += 1) {
      await unit.users.add(newUser(nameOf(number), { namesCaseSensitive: false, passwordHash: stored }));
    }
  });
}

/**
 * Issues tickets in steady use: their last written uses are spread over the last tenth of the inactivity time, as in a
 * service that has run for a long time.
 */
async function issueTickets(
  store: Store,
  [from, to]: readonly [number, number],
  now: number,
  userOf: (number: number) => number,
): Promise<void> {
  const span = Math.min(LIFETIME.idle, LIFETIME.age) / 10;
  await store.write(async (unit) => {
    for (let number = from; number < to; number += 1) {
      const at = now - Math.floor((number * 7_919) % span);
      await unit.tickets.issue({
        digest: digestOf(ticketOf(number)),
        userId: userOf(number),
        userGeneration: 0,
        serverGeneration: 0,
        issuedAt: at,
        usedAt: at,
      });
    }
  });
}

/** Options for filling a store. */
export interface Manner {
  /** The id of the user of a ticket. */
  readonly userOf?: (number: number) => number;
  /** Tickets in one write unit. */
  readonly batch?: number;
  /** The number of users, if it does not follow from the tickets. */
  readonly users?: number;
}

/** Fills an empty store with live tickets and their users, and closes it. The password of all is {@link PASSWORD}. */
export async function seedStore(
  store: Store,
  tickets: number,
  { userOf = (number) => holderOf(number) + 1, batch = BATCH, users = usersFor(tickets) }: Manner = {},
): Promise<void> {
  const giveUpAt = performance.now() + DEADLINE;
  try {
    await addUsers(store, users);
    const now = Date.now();
    for (let from = 0; from < tickets; from += batch) {
      if (performance.now() > giveUpAt) throw new Error(`seeding ${tickets} tickets takes over half an hour`);
      await issueTickets(store, [from, Math.min(from + batch, tickets)], now, userOf);
    }
  } finally {
    await store.close();
  }
}

/** As {@link seedStore}, in a new store in `folder`. */
export function seed(folder: string, tickets: number, manner: Manner = {}): Promise<void> {
  return seedStore(openSqlite(folder), tickets, manner);
}
