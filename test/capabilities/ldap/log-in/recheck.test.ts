import assert from 'node:assert/strict';
import { dnOf, groupDn, groupOf, person, testsOnSlapd, USERS } from '../../../service/slapd.ts';
import { PASSWORD } from '../../../service/start.ts';
import { until } from '../../../service/until.ts';
import { type DirectoryService, startWithDirectory } from './with-directory.ts';

const NAMES = ['anna', 'ben', 'carl', 'dora'];

const test = await testsOnSlapd({
  entries: [
    ...NAMES.map((name) => person(name)),
    groupOf('staff', dnOf('anna')),
    groupOf('board', dnOf('ben')),
  ],
});

const LOCKED_FOR_EVER = ['replace: pwdAccountLockedTime', 'pwdAccountLockedTime: 000001010000Z'];
const OFTEN = { TESSERA_LDAP_RECHECK: 'PT0.5S' };

/** Waits for a round that began after this call. */
async function round({ store }: DirectoryService): Promise<void> {
  const began = Date.now();
  await until('all users were checked', async () => {
    const due = await store.read((unit) => unit.externalIdentities.due('ldap', began, 0, 1));
    return due.length === 0;
  });
}

test('a user who is disabled in the directory loses the tickets, and may log in when enabled again', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, OFTEN);
  const [anna, ben] = [await service.ticket('anna'), await service.ticket('ben')];
  slapd.change(dnOf('anna'), ...LOCKED_FOR_EVER);
  await until('her ticket ended', async () => !(await service.isLive(anna)));
  assert.equal(await service.isLive(ben), true);
  assert.equal((await service.user('anna'))?.disabled, true);
  assert.equal(await service.logIn('anna'), 403);
  assert.deepEqual(await service.reasons('user-disabled'), ['disabled in the directory']);
  slapd.change(dnOf('anna'), 'delete: pwdAccountLockedTime');
  await until('she is enabled', async () => (await service.user('anna'))?.disabled === false);
  assert.equal(await service.isLive(anna), false);
  assert.equal(await service.logIn('anna'), 200);
});

test('a user who is enabled again in the directory may log in before the next check', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, { TESSERA_LDAP_RECHECK: 'P1D' });
  await service.ticket('anna');
  await service.store.write(async (unit) => {
    const { id = 0 } = (await unit.users.findByKey('anna')) ?? {};
    const identity = await unit.externalIdentities.ofUser(id);
    assert.ok(identity);
    await unit.users.change(id, { disabled: true });
    await unit.externalIdentities.put({ ...identity, disabledThere: true });
  });
  assert.equal(await service.logIn('anna', 'wrong'), 403);
  assert.equal((await service.user('anna'))?.disabled, true);
  assert.equal(await service.logIn('anna'), 200);
  assert.equal((await service.user('anna'))?.disabled, false);
});

test('a user who is removed from the directory loses the tickets', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, OFTEN);
  const tickets: string[] = [];
  for (const name of NAMES) tickets.push(await service.ticket(name));
  slapd.delete(dnOf('dora'));
  t.after(() => slapd.add(person('dora')));
  await until('her ticket ended', async () => !(await service.isLive(tickets[3] ?? '')));
  assert.deepEqual(await service.reasons('user-disabled'), ['not in the directory any more']);
  assert.equal(await service.isLive(tickets[0] ?? ''), true);
});

test('if more than half are gone at once, no user loses a ticket, and the log says so', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, {
    ...OFTEN,
    TESSERA_LDAP_USER_FILTER: '(&(description=here)(uid={name}))',
  });
  for (const name of NAMES.slice(0, 3)) slapd.change(dnOf(name), 'replace: description', 'description: here');
  const tickets: string[] = [];
  for (const name of NAMES.slice(0, 3)) tickets.push(await service.ticket(name));
  for (const name of ['anna', 'ben']) slapd.change(dnOf(name), 'delete: description');
  await until('the log says so', () =>
    service.lines.some((line) => line.includes('does not find 2 of its 3')),
  );
  await round(service);
  for (const ticket of tickets) assert.equal(await service.isLive(ticket), true);
  assert.deepEqual(await service.reasons('user-disabled'), []);
});

test('a directory that does not answer ends no ticket', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, { ...OFTEN, TESSERA_LDAP_DEADLINE: 'PT2S' });
  const ticket = await service.ticket('anna');
  slapd.freeze();
  t.after(() => slapd.thaw());
  await until('a check failed', () => service.lines.some((line) => line.includes('did not answer in time')));
  assert.equal(await service.isLive(ticket), true);
  assert.equal((await service.user('anna'))?.disabled, false);
});

test('names, profiles and groups follow the directory while a ticket is live', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, OFTEN);
  const ticket = await service.ticket('carl');
  const { id } = (await service.user('carl')) ?? {};
  slapd.change(dnOf('carl'), 'replace: mail', 'mail: carl@example.org');
  slapd.add(groupOf('late', dnOf('carl')));
  await until('he is in the group', async () => (await service.groups('carl')).includes('late'));
  const profile = await service.store.read(({ profiles }) => profiles.find(id ?? 0));
  assert.equal(profile.email, 'carl@example.org');
  slapd.delete(groupDn('late'));
  await until('he left the group', async () => (await service.groups('carl')).length === 0);
  slapd.rename(dnOf('carl'), 'uid=carlo');
  t.after(() => slapd.rename(`uid=carlo,${USERS}`, 'uid=carl'));
  await until('he is renamed', async () => (await service.user('carlo'))?.id === id);
  assert.equal(await service.isLive(ticket), true);
});

test('a user whom an administrator disabled here stays disabled', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, OFTEN);
  await service.ticket('anna');
  const { id = 0 } = (await service.user('anna')) ?? {};
  await service.store.write(({ users }) => users.change(id, { disabled: true }));
  await round(service);
  assert.equal((await service.user('anna'))?.disabled, true);
  slapd.change(dnOf('anna'), ...LOCKED_FOR_EVER);
  await round(service);
  slapd.change(dnOf('anna'), 'delete: pwdAccountLockedTime');
  await round(service);
  assert.equal((await service.user('anna'))?.disabled, true);
  assert.equal(await service.logIn('admin', PASSWORD), 200);
});
