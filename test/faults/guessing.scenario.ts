import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { testsOnOwnPostgres } from '../service/postgres.ts';
import { PASSWORD } from '../service/start.ts';
import { basic } from '../service/talk.ts';
import type { Fleet, Instance } from './fleet.ts';
import { DURABLE, fleetOn, GUESSED } from './on-postgres.ts';
import { underLoad } from './scenario.ts';
import { pathOf } from './user-agent.ts';

const test = await testsOnOwnPostgres(...DURABLE);
const THROTTLE = 5;
const LOCKOUT = 12;
/** Longer than any burst of guesses takes. */
const LOCKED_FOR = 10_000;

/** What came of a wrong password: it was looked at, or refused unseen because the name has to wait. */
async function guess(instance: Instance, user: string, from: string): Promise<'looked at' | 'has to wait'> {
  const headers = basic(`${user}:wrong-${Math.random()}`);
  const answer = await instance.line.ask({ path: '/api/rules/actiondefs', headers, from });
  assert.equal(answer?.status, 401);
  return answer?.retryAfter ? 'has to wait' : 'looked at';
}

async function logIn(instance: Instance, user: string, from: string) {
  const body = JSON.stringify({ username: user, password: PASSWORD });
  const answer = await instance.line.ask({ method: 'POST', path: '/api/login', body, from });
  return { status: answer?.status, ticket: /TICKET_\w+/.exec(answer?.text ?? '')?.[0] ?? '' };
}

const statusesOf = (fleet: Fleet, ticket: string) =>
  Promise.all(fleet.alive.map(async ({ line }) => (await line.ask({ path: pathOf(ticket) }))?.status));

/** One address tries: after so many failures it has to wait, wherever it turns, and even with the right password. */
async function throttled(fleet: Fleet, user: string): Promise<void> {
  const address = '127.0.0.2';
  const fail = async () => assert.equal(await guess(fleet.next(), user, address), 'looked at');
  for (let n = 0; n < THROTTLE; n++) await fail();
  // Each wait is twice the one before: the fourth is long enough for a busy machine to ask everywhere.
  for (let wait = 1_000; wait < 8_000; wait *= 2) {
    await pause(wait + 200);
    await fail();
  }
  for (const instance of fleet.alive) {
    assert.equal(await guess(instance, user, address), 'has to wait');
    assert.equal((await logIn(instance, user, address)).status, 403);
  }
}

/** Many addresses try, one after another, until the name is locked out: a ticket of it is suspended everywhere, and lives again. */
async function lockedOut(fleet: Fleet, user: string): Promise<void> {
  const { ticket } = await logIn(fleet.next(), user, '127.0.0.3');
  assert.deepEqual(await statusesOf(fleet, ticket), [200, 200, 200]);
  for (let n = 0; n < LOCKOUT; n++)
    assert.equal(await guess(fleet.next(), user, `127.0.1.${n}`), 'looked at', `guess ${n}`);
  assert.deepEqual(await statusesOf(fleet, ticket), [401, 401, 401]);
  for (const instance of fleet.alive) assert.equal(await guess(instance, user, '127.0.2.1'), 'has to wait');
  await pause(LOCKED_FOR + 200);
  assert.deepEqual(await statusesOf(fleet, ticket), [200, 200, 200]);
}

/** Guesses at all instances at once: each is counted, and of what is left nobody gets more than there is. */
async function guessedAtOnce(fleet: Fleet, user: string): Promise<number> {
  const made = await Promise.all(
    Array.from({ length: 60 }, (_, n) => guess(fleet.next(), user, `127.0.3.${n}`)),
  );
  for (const instance of fleet.alive) assert.equal(await guess(instance, user, '127.0.4.1'), 'has to wait');
  return made.filter((what) => what === 'looked at').length;
}

test('failures are counted over all instances together: throttle and lock-out come when they are due', async (t, server) => {
  const fleet = await fleetOn(t, await server.freshDatabase(), () => ({
    TESSERA_THROTTLE_AFTER: String(THROTTLE),
    TESSERA_LOCKOUT_THRESHOLD: String(LOCKOUT),
    TESSERA_LOCKOUT_DURATION: `PT${LOCKED_FOR / 1_000}S`,
  }));
  const book = await underLoad(t, fleet, {
    harmless: true,
    locksOut: true,
    async strike(round) {
      const [first, second, third] = GUESSED.slice(3 * round) as [string, string, string];
      await lockedOut(fleet, first);
      const seen = await guessedAtOnce(fleet, second);
      t.diagnostic(`of 60 guesses at once ${seen} were looked at; the lock-out comes after ${LOCKOUT}`);
      assert.ok(seen >= LOCKOUT && seen <= LOCKOUT * fleet.instances.length);
      await throttled(fleet, third);
    },
  });
  assert.equal(book.later, 0, 'whoever guesses puts nobody else off');
});
