import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Directory } from '../../../src/capabilities/ldap/directory.ts';
import { DirectoryUnavailable } from '../../../src/capabilities/ldap/options.ts';
import type { DirectoryPerson } from '../../../src/capabilities/ldap/person.ts';
import { DirectoryRecheck } from '../../../src/capabilities/ldap/recheck.ts';
import { provisionExternalUser } from '../../../src/capabilities/people/external-user.ts';
import type { Store } from '../../../src/core/storage/store.ts';
import { aTicket } from '../../core/storage/conformance/samples.ts';
import { openMemory } from '../../engines/memory/open.ts';

/** What is alike in all people. */
const ACTIVE = { state: 'active', passwordEnd: Number.POSITIVE_INFINITY, profile: {} } as const;
const EVERY = 300_000;
const RULES = {
  namesCaseSensitive: false,
  addsUsers: true,
  takesLocalNames: false,
  takeOvers: [],
  roleGroups: [],
};

/** A store with so many users of a directory, and rechecks of them whose directory the test sets. */
async function directoryOf(count: number) {
  let now = 1_000_000_000;
  let writes = 0;
  const memory = openMemory();
  const store: Store = {
    ...memory,
    write(work) {
      writes += 1;
      return memory.write(work);
    },
  };
  const people = new Map<string, DirectoryPerson>();
  for (let n = 0; n < count; n += 1) {
    const subject = `id-${n}`;
    people.set(subject, { ...ACTIVE, dn: `uid=u${n}`, subject, name: `u${n}` });
    const external = { provider: 'ldap', subject, name: `u${n}`, profile: {}, groups: undefined };
    await provisionExternalUser(store, external, RULES, { at: now });
  }
  const asked: number[] = [];
  const withGroups: string[] = [];
  const warnings: string[] = [];
  const fake = {
    isDown: false,
    async ofSubjects(subjects: readonly string[]) {
      if (fake.isDown) throw new DirectoryUnavailable('down');
      asked.push(subjects.length);
      return new Map([...people].filter(([subject]) => subjects.includes(subject)));
    },
    async groupsOf({ name }: DirectoryPerson) {
      withGroups.push(name);
      return ['Staff'];
    },
  };
  const parts = {
    store,
    rules: RULES,
    every: EVERY,
    clock: () => now,
    onFault: (fault: unknown) => assert.fail(String(fault)),
  };
  const directory = fake as unknown as Directory;
  const recheck = new DirectoryRecheck({ ...parts, directory, warn: (warning) => warnings.push(warning) });
  const set = (n: number, more: Partial<DirectoryPerson>) => {
    const person = people.get(`id-${n}`);
    if (person !== undefined) people.set(person.subject, { ...person, ...more });
  };
  const disabled = async () =>
    (await store.read(({ users }) => users.list())).filter((user) => user.disabled).map(({ name }) => name);
  return {
    ...{ store, people, asked, withGroups, warnings, fake, set, disabled, round: () => recheck.round() },
    writes: () => writes,
    wait: (by: number) => {
      now += by;
    },
  };
}

test('no user is asked about before the time, and then all of them in searches for 200', async () => {
  const { round, asked, wait } = await directoryOf(450);
  wait(EVERY * 0.79);
  await round();
  assert.deepEqual(asked, []);
  wait(EVERY * 0.02);
  await round();
  assert.deepEqual(asked, [200, 200, 50]);
  await round();
  assert.deepEqual(asked.length, 3);
  wait(EVERY);
  await round();
  assert.deepEqual(asked.length, 6);
});

test('all who are disabled there are disabled here in one write, and enabled again later', async () => {
  const { round, set, disabled, wait, writes, store } = await directoryOf(20);
  const before = writes();
  wait(EVERY);
  set(3, { state: 'disabled' });
  set(5, { state: 'expired' });
  set(7, { state: 'locked' });
  await round();
  assert.deepEqual(await disabled(), ['u3', 'u5']);
  // One for them, and one for the time of the check.
  assert.equal(writes() - before, 2);
  const reasons = (await store.read(({ events }) => events.latest({ kind: 'user-disabled', limit: 9 }))).map(
    ({ user, reason }) => `${user} ${reason}`,
  );
  assert.deepEqual(reasons.sort(), ['u3 disabled in the directory', 'u5 account expired in the directory']);
  wait(EVERY);
  set(3, { state: 'active' });
  await round();
  assert.deepEqual(await disabled(), ['u5']);
});

test('if more than half are missing at once none is disabled; half of them, or a single one, are', async () => {
  const { round, people, disabled, wait, warnings } = await directoryOf(6);
  for (const n of [0, 1, 2, 3]) people.delete(`id-${n}`);
  wait(EVERY);
  await round();
  assert.deepEqual(await disabled(), []);
  assert.match(
    warnings[0] ?? '',
    /does not find 4 of its 6 users any more, so none of them is disabled: check/,
  );
  const person = { ...ACTIVE, dn: 'uid=u3', subject: 'id-3', name: 'u3' };
  people.set('id-3', person);
  wait(EVERY);
  await round();
  assert.deepEqual(await disabled(), ['u0', 'u1', 'u2']);
  // Those who went before do not count any more.
  people.delete('id-3');
  wait(EVERY);
  await round();
  assert.deepEqual(await disabled(), ['u0', 'u1', 'u2', 'u3']);
  assert.equal(warnings.length, 1);
});

test('a directory that does not answer changes nothing, and is asked again', async () => {
  const { round, fake, set, disabled, wait } = await directoryOf(3);
  set(0, { state: 'disabled' });
  wait(EVERY);
  fake.isDown = true;
  await assert.rejects(round(), DirectoryUnavailable);
  assert.deepEqual(await disabled(), []);
  fake.isDown = false;
  await round();
  assert.deepEqual(await disabled(), ['u0']);
});

test('groups are read of those who have tickets, and a name that is taken stays here', async () => {
  const { round, store, withGroups, set, wait } = await directoryOf(3);
  const user = await store.read(({ users }) => users.findByKey('u1'));
  await store.write(({ tickets }) => tickets.issue(aTicket(1, user ?? assert.fail())));
  set(2, { name: 'u1' });
  wait(EVERY);
  await round();
  assert.deepEqual(withGroups, ['u1']);
  const names = (await store.read(({ users }) => users.list())).map(({ name }) => name);
  assert.deepEqual(names, ['u0', 'u1', 'u2']);
});
