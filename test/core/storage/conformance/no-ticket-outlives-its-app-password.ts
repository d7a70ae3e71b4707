import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isKept } from '../../../../src/capabilities/factors/app-passwords/verifier.ts';
import { removeAppPassword } from '../../../../src/capabilities/factors/rules/app-passwords.ts';
import type { AppPassword } from '../../../../src/core/domain/app-password.ts';
import { isRefusal } from '../../../../src/core/domain/refusal.ts';
import type { User } from '../../../../src/core/domain/user.ts';
import { issueTicket, systemRandom } from '../../../../src/core/gate/tickets.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import { addUser, anAppPassword, type MakeStore, NOW } from './samples.ts';

const never = Number.POSITIVE_INFINITY;
const RULES = {
  lifetime: { idle: never, age: never },
  perUser: 0,
  whenFull: 'refuse',
  clock: () => NOW,
  random: systemRandom,
} as const;

/** Issues a ticket for an app password that was verified before; gives its digest, or undefined if it is refused. */
async function logIn(store: Store, user: User, appPassword: AppPassword) {
  const verified = {
    userId: user.id,
    generation: user.generation,
    passwordHash: user.passwordHash,
    appPassword: appPassword.name,
    methods: [],
    isKeptIn: (unit: Parameters<typeof isKept>[0]) => isKept(unit, appPassword),
  };
  const client = { address: '192.0.2.1', userAgent: 'curl/8.5.0' };
  const issued = await store.write((unit) => issueTicket(unit, verified, RULES, client));
  return isRefusal(issued) ? undefined : issued.issued.ticket.digest;
}

/** A login confirms its app password behind the lock of its user, and so does the removal of the app password. */
export function noTicketOutlivesItsAppPassword(make: MakeStore): void {
  test('of a login and the removal of its app password at the same time no live ticket is left', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    for (let round = 0; round < 24; round += 1) {
      const appPassword = anAppPassword(round, ada.id, 'mail');
      await store.write((unit) => unit.appPasswords.add(appPassword));
      const logsIn = () => logIn(store, ada, appPassword);
      const removes = () => store.write((unit) => removeAppPassword(unit, ada, 'mail'));
      const logins = [round % 2 ? logsIn() : undefined, round % 3 ? logsIn() : undefined];
      const removal = removes();
      logins.push(logsIn());
      assert.notEqual(await removal, undefined);
      for (const digest of await Promise.all(logins)) {
        const live = digest && (await store.read((unit) => unit.tickets.find(digest)));
        assert.equal(live, undefined, `round ${round}`);
      }
    }
    assert.deepEqual(await store.read((unit) => unit.tickets.listOf(ada.id)), []);
  });
}
