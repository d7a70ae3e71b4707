import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AppPasswordToMake,
  makeAppPasswordFor,
  removeAppPassword,
  removeExpiredAppPassword,
} from '../../../../src/capabilities/factors/rules/app-passwords.ts';
import {
  type AppPassword,
  MOST_ADDRESS_BLOCKS,
  MOST_APP_PASSWORDS,
} from '../../../../src/core/domain/app-password.ts';
import { isRefusal } from '../../../../src/core/domain/refusal.ts';
import { bytesOf, shortDigest } from '../../../../src/core/domain/ticket.ts';
import type { User } from '../../../../src/core/domain/user.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import {
  aDigest,
  addUser,
  anAppPassword,
  aTicket,
  issue,
  issueFrom,
  NOW,
} from '../../../core/storage/conformance/samples.ts';
import { openMemory } from '../../../engines/memory/open.ts';

const MAIL: AppPasswordToMake = {
  name: 'mail',
  digest: bytesOf(aDigest(90)),
  expiresAt: undefined,
  addresses: [],
};

const make = (store: Store, user: User, more: Partial<AppPasswordToMake> = {}) =>
  store.write((unit) => makeAppPasswordFor(unit, user, { ...MAIL, ...more }, NOW));

/** Why it was not made. */
async function whyNot(...asked: Parameters<typeof make>): Promise<string> {
  const outcome = await make(...asked);
  return isRefusal(outcome) ? `${outcome.refused}: ${outcome.detail}` : assert.fail('it was made');
}

const namesOf = async (store: Store, { id }: User) =>
  (await store.read((unit) => unit.appPasswords.ofUser(id))).map(({ name }) => name);

/** Issues the `n`th ticket of the user, for the app password of this name if there is one. */
const issueFor = (store: Store, n: number, user: User, appPassword: string | undefined) =>
  issueFrom(store, { from: '192.0.2.1', program: undefined, appPassword }, aTicket(n, user));

async function isKept(store: Store, ...numbers: readonly number[]): Promise<boolean[]> {
  const found = await store.read(({ tickets }) => Promise.all(numbers.map((n) => tickets.find(aDigest(n)))));
  return found.map((held) => held !== undefined);
}

test('an app password is kept with its addresses in one form, and an event names it', async () => {
  const store = openMemory();
  const ada = await addUser(store, 'ada');
  const addresses = [' 192.0.2.9/24 ', '192.0.2.0/24', '2001:db8::1'];
  const made = await make(store, ada, { expiresAt: NOW + 1, addresses });
  assert.ok(!isRefusal(made));
  assert.deepEqual(made.events, [{ kind: 'app-password-added', user: 'ada', reason: 'mail' }]);
  const kept = anAppPassword(90, ada.id, 'mail', {
    expiresAt: NOW + 1,
    addresses: ['192.0.2.0/24', '2001:db8::/64'],
  });
  assert.deepEqual(made.appPassword, kept);
  assert.deepEqual(await store.read((unit) => unit.appPasswords.ofUser(ada.id)), [kept]);
});

test('an impossible app password is refused with the reason, and nothing is stored', async () => {
  const store = openMemory();
  const ada = await addUser(store, 'ada');
  assert.match(await whyNot(store, ada, { name: '' }), /^body_invalid: .*1 to 64 characters/);
  assert.match(await whyNot(store, ada, { expiresAt: NOW }), /^body_invalid: .*over already/);
  assert.match(await whyNot(store, ada, { expiresAt: Number.NaN }), /^body_invalid: .*over already/);
  assert.match(
    await whyNot(store, ada, { addresses: ['192.0.2.1', 'office'] }),
    /^body_invalid: an address of/,
  );
  assert.match(await whyNot(store, ada, { addresses: ['2001:db8::/96'] }), /\/64 or wider/);
  const many = Array.from({ length: MOST_ADDRESS_BLOCKS + 1 }, (_, n) => `192.0.2.${n}`);
  assert.match(await whyNot(store, ada, { addresses: many }), /^body_invalid: .*20 addresses at most/);
  assert.deepEqual(await namesOf(store, ada), []);
});

test('a disabled user and one without a password get none; a user of a provider gets one', async () => {
  const store = openMemory();
  const disabled = await addUser(store, 'off', { disabled: true });
  const shared = await addUser(store, 'guest', { passwordHash: undefined });
  const external = await addUser(store, 'ext', { passwordHash: undefined, provider: 'ldap' });
  assert.match(await whyNot(store, disabled), /^body_invalid: "off" is disabled/);
  assert.match(await whyNot(store, shared), /^password_needed: /);
  assert.ok(!isRefusal(await make(store, external)));
});

test('a user has each name once, and a limited number of app passwords', async () => {
  const store = openMemory();
  const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
  for (let n = 1; n <= MOST_APP_PASSWORDS; n += 1) {
    if (n === MOST_APP_PASSWORDS)
      assert.match(
        await whyNot(store, ada, { name: 'n1', digest: bytesOf(aDigest(99)) }),
        /^name_taken: .*"n1" already/,
      );
    assert.ok(!isRefusal(await make(store, ada, { name: `n${n}`, digest: bytesOf(aDigest(n)) })));
  }
  assert.match(
    await whyNot(store, ada, { name: 'more' }),
    /^body_invalid: .*50 app passwords, which is the most/,
  );
  assert.ok(!isRefusal(await make(store, ben)));
});

test('a removal ends the tickets of that app password, each with an event, and no others', async () => {
  const store = openMemory();
  const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
  await make(store, ada);
  await make(store, ada, { name: 'cron', digest: bytesOf(aDigest(91)) });
  for (const [n, name] of ['mail', 'cron', undefined, 'mail'].entries()) await issueFor(store, n, ada, name);
  await issueFor(store, 4, ben, 'mail');
  await issue(store, aTicket(5, ada));
  const removed = await store.write((unit) => removeAppPassword(unit, ada, 'mail'));
  const revoked = { kind: 'ticket-revoked', user: 'ada', reason: 'app password mail' } as const;
  assert.deepEqual(removed?.events[0], { kind: 'app-password-removed', user: 'ada', reason: 'mail' });
  assert.deepEqual(
    new Set(removed?.events.slice(1)),
    new Set([0, 3].map((n) => ({ ...revoked, digest: shortDigest(aDigest(n)) }))),
  );
  assert.deepEqual(await isKept(store, 0, 1, 2, 3, 4, 5), [false, true, true, false, true, true]);
  assert.deepEqual(await namesOf(store, ada), ['cron']);
  assert.equal(await store.write((unit) => removeAppPassword(unit, ada, 'mail')), undefined);
});

test('a removal that ends more than 100 tickets has one event of them all', async () => {
  const store = openMemory();
  const ada = await addUser(store, 'ada');
  await make(store, ada);
  for (let n = 0; n <= 100; n += 1) await issueFor(store, n, ada, 'mail');
  const removed = await store.write((unit) => removeAppPassword(unit, ada, 'mail'));
  assert.deepEqual(removed?.events, [
    { kind: 'app-password-removed', user: 'ada', reason: 'mail' },
    { kind: 'tickets-revoked', user: 'ada', reason: 'app password mail' },
  ]);
  assert.deepEqual(await isKept(store, 0, 50, 100), [false, false, false]);
});

const removeExpired = (store: Store, expired: AppPassword) =>
  store.write((unit) => removeExpiredAppPassword(unit, expired, NOW));

test('an app password that expired goes with its tickets, and the events say so', async () => {
  const store = openMemory();
  const ada = await addUser(store, 'ada');
  await make(store, ada, { expiresAt: NOW + 1 });
  await issueFor(store, 1, ada, 'mail');
  await issueFor(store, 2, ada, undefined);
  const expired = anAppPassword(90, ada.id, 'mail');
  assert.deepEqual([await removeExpired(store, expired), await removeExpired(store, expired)], [true, false]);
  assert.deepEqual([await namesOf(store, ada), await isKept(store, 1, 2)], [[], [false, true]]);
  const told = await store.read((unit) => unit.events.list({}));
  assert.deepEqual(
    told.map(({ at, kind, reason }) => ({ at, kind, reason })),
    [
      { at: NOW, kind: 'app-password-removed', reason: 'mail (expired)' },
      { at: NOW, kind: 'ticket-revoked', reason: 'app password mail' },
    ],
  );
});

test('an app password of the same name that was made meanwhile stays', async () => {
  const store = openMemory();
  const ada = await addUser(store, 'ada');
  await make(store, ada);
  assert.equal(await removeExpired(store, anAppPassword(91, ada.id, 'mail')), false);
  assert.deepEqual(await namesOf(store, ada), ['mail']);
});
