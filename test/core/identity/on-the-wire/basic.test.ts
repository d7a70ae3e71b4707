// Imported first, so that the modules below hash through the counter.
import '../counted-hashes.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterwards } from '../../../service/afterwards.ts';
import { PASSWORD, startTestService, type TestService, temporaryFolder } from '../../../service/start.ts';
import { openSqlite } from '../../../service/stores.ts';
import { hashes } from '../counted-hashes.ts';
import { failUntilWaiting, tryBy } from './trying.ts';

const call = ({ url }: TestService, password = PASSWORD) => tryBy('basic', url, 'ann', password);

test('a name and password on each request cost one hash, and leave no tickets', async (t) => {
  const service = await startTestService(t);
  await service.addUser('ann');
  hashes.length = 0;
  for (let time = 0; time < 20; time += 1) assert.ok((await call(service)).letIn);
  assert.equal(hashes.length, 1);
  assert.deepEqual(await service.store.read((unit) => unit.tickets.page(undefined, 10)), []);
});

test('a login costs its hash even if the credential is cached', async (t) => {
  const service = await startTestService(t);
  await service.addUser('ann');
  assert.ok((await call(service)).letIn);
  hashes.length = 0;
  for (const way of ['get', 'post'] as const) await tryBy(way, service.url, 'ann', PASSWORD);
  assert.equal(hashes.length, 2);
});

test('a password may contain colons, and a wrong one gets a challenge each time', async (t) => {
  const service = await startTestService(t);
  await service.addUser('ann', { password: 'a:b::c' });
  assert.ok((await call(service, 'a:b::c')).letIn);
  assert.equal((await call(service, 'a:b:')).challenge, 'Basic realm="Tessera"');
});

test('a refused name and password are one refused login in the events, and no refused ticket', async (t) => {
  const folder = await temporaryFolder(t);
  const service = await startTestService(t, { TESSERA_DATA: folder }, () => openSqlite(folder));
  const { length } = await failUntilWaiting(service, 'admin', undefined, 'basic');
  for (let time = 0; time < 3; time += 1) await tryBy('basic', service.url, 'admin', 'wrong');
  await service.stop();
  const store = openSqlite(folder);
  afterwards(t, () => store.close());
  const events = await store.read((unit) => unit.events.list({}));
  const counted: Record<string, number> = {};
  for (const { kind, reason, count } of events)
    counted[`${kind} ${reason}`] = (counted[`${kind} ${reason}`] ?? 0) + count;
  assert.deepEqual(counted, {
    'user-added first start': 1,
    'login-refused wrong-password': length,
    'login-refused waiting': 3,
  });
});
