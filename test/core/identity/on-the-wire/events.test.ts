import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { RecordedEvent } from '../../../../src/core/domain/event.ts';
import { afterwards } from '../../../service/afterwards.ts';
import { PASSWORD, startTestService, type TestService, temporaryFolder } from '../../../service/start.ts';
import { openSqlite } from '../../../service/stores.ts';
import { ask, basic } from '../../../service/talk.ts';
import { BEHIND_PROXY, fail, tryBy, WAYS } from './trying.ts';

const HERE = '192.0.2.1';
const THERE = '198.51.100.7';

/** The event table after a service did `work` and stopped, without the events of its first start. */
async function eventsOf(
  t: TestContext,
  env: Record<string, string>,
  work: (service: TestService) => Promise<unknown>,
): Promise<RecordedEvent[]> {
  const folder = await temporaryFolder(t);
  const settings = { ...BEHIND_PROXY, TESSERA_DATA: folder, ...env };
  const service = await startTestService(t, settings, () => openSqlite(folder));
  await work(service);
  await service.stop();
  const store = openSqlite(folder);
  afterwards(t, () => store.close());
  return (await store.read((unit) => unit.events.list({}))).filter(({ kind }) => kind !== 'user-added');
}

const told = (events: readonly RecordedEvent[]) =>
  events.map(({ kind, user, from, reason, count }) => [kind, user, from, reason, count]);

test('attempts refused without hashing make one row for each name, address and minute, with a count', async (t) => {
  const events = await eventsOf(t, { TESSERA_LOCKOUT_THRESHOLD: '2' }, async (service) => {
    // Not at the end of a minute.
    service.shiftClock(60_000 - (Date.now() % 60_000) + 5_000);
    await fail(2, service.url, 'admin', HERE);
    await fail(30, service.url, 'ADMIN', HERE);
    await fail(3, service.url, 'admin', THERE);
    service.shiftClock(60_000);
    await fail(4, service.url, 'admin', HERE);
  });
  const counted = told(events).filter(([, , , reason]) => reason === 'locked');
  assert.deepEqual(counted, [
    ['login-refused', 'admin', HERE, 'locked', 30],
    ['login-refused', 'admin', THERE, 'locked', 3],
    ['login-refused', 'admin', HERE, 'locked', 4],
  ]);
});

test('the events show who logged in, who was refused and for what true reason, and who was locked out', async (t) => {
  const events = await eventsOf(t, { TESSERA_LOCKOUT_THRESHOLD: '2' }, async ({ url }) => {
    await tryBy('get', url, 'ADMIN', PASSWORD, HERE);
    await fail(2, url, 'admin', THERE);
    await tryBy('post', url, 'admin', PASSWORD, HERE);
  });
  assert.deepEqual(told(events), [
    ['login', 'admin', HERE, undefined, 1],
    ['login-refused', 'admin', THERE, 'wrong-password', 1],
    ['login-refused', 'admin', THERE, 'wrong-password', 1],
    ['lock', 'admin', THERE, 'too many failures', 1],
    ['unlock', 'admin', HERE, 'right password from a familiar address', 1],
    ['login', 'admin', HERE, undefined, 1],
  ]);
});

test('a right password with Basic makes an event, and the requests after it make none', async (t) => {
  const events = await eventsOf(t, {}, async ({ url }) => {
    const call = (password: string) =>
      ask(`${url}/api/rules/actiondefs`, { headers: basic(`admin:${password}`) });
    assert.equal((await call('wrong')).status, 401);
    for (let time = 0; time < 21; time += 1) assert.equal((await call(PASSWORD)).status, 200);
  });
  assert.deepEqual(told(events), [
    ['login-refused', 'admin', '127.0.0.1', 'wrong-password', 1],
    ['password-accepted', 'admin', '127.0.0.1', undefined, 1],
  ]);
});

test('a name that no user has is masked in events and log, by every way in and for every reason', async (t) => {
  const secret = 'hunter2-in-the-wrong-field';
  let lines: readonly string[] = [];
  const env = { TESSERA_LOCKOUT_THRESHOLD: '3', TESSERA_LOG_LEVEL: 'debug' };
  const events = await eventsOf(t, env, async (service) => {
    lines = service.lines;
    for (let round = 0; round < 3; round += 1)
      for (const way of WAYS) await tryBy(way, service.url, secret, 'wrong', HERE);
  });
  for (const text of [JSON.stringify(events), ...lines]) assert.ok(!text.includes('hunter2'), text);
  const masked = `hu\u2026 (${secret.length} characters)`;
  assert.deepEqual([...new Set(events.map(({ user }) => user))], [masked]);
  assert.ok(lines.some((line) => line.includes(masked)));
});

test('events and log contain no passwords and no tickets', async (t) => {
  let lines: readonly string[] = [];
  const given: string[] = [PASSWORD, 'hunter2-guess', 'TICKET_'];
  const events = await eventsOf(t, { TESSERA_LOG_LEVEL: 'debug' }, async (service) => {
    lines = service.lines;
    for (const way of WAYS)
      for (const password of [PASSWORD, 'hunter2-guess']) {
        const { body } = await tryBy(way, service.url, 'admin', password);
        given.push(...(/(?<=TICKET_)[0-9a-f]{40}/.exec(body) ?? []));
      }
  });
  assert.ok(given.length > 3, 'tickets were given out');
  for (const secret of given)
    for (const text of [JSON.stringify(events), ...lines]) assert.ok(!text.includes(secret), text);
});
