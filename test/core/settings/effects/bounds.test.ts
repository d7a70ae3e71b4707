import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deadline } from '../../../../src/core/settings/parsers.ts';
import { variableOf } from '../../../../src/core/settings/table.ts';
import { SETTINGS } from '../../../../src/main/settings.ts';
import { PASSWORD, startTestService, temporaryFolder } from '../../../service/start.ts';
import { openSqlite } from '../../../service/stores.ts';
import { ask } from '../../../service/talk.ts';
import { until } from '../../../service/until.ts';

const HOUR = 60 * 60_000;

test('a body is read up to TESSERA_BODY_LIMIT', async (t) => {
  const { url } = await startTestService(t, { TESSERA_BODY_LIMIT: '1024' });
  const statusAt = async (length: number) => {
    const body = JSON.stringify({ username: 'admin', password: PASSWORD }).padEnd(length, ' ');
    return (await ask(`${url}/api/login`, { method: 'POST', body })).status;
  };
  assert.equal(await statusAt(1_024), 200);
  assert.equal(await statusAt(1_025), 413);
});

test('events are kept for TESSERA_EVENTS_KEEP', async (t) => {
  const store = openSqlite(await temporaryFolder(t));
  const add = (user: string, at: number) =>
    store.write((unit) => unit.events.append({ at, kind: 'user-added', user }));
  await add('old', Date.now() - 25 * HOUR);
  await add('recent', Date.now() - 23 * HOUR);
  await startTestService(t, { TESSERA_EVENTS_KEEP: 'P1D' }, () => store);
  const kept = async () => {
    const events = await store.read((unit) => unit.events.list({}));
    return events.map(({ user }) => user);
  };
  await until('the old event is swept', async () => !(await kept()).includes('old'));
  assert.ok((await kept()).includes('recent'));
});

test('the service starts with the longest of every deadline, and answers', async (t) => {
  const deadlines = SETTINGS.keys.filter((key) => SETTINGS.setting(key).parse === deadline);
  assert.ok(deadlines.includes('requestDeadline'));
  const env = Object.fromEntries(deadlines.map((key) => [variableOf(key), 'P24D']));
  const { url } = await startTestService(t, env);
  assert.equal((await ask(`${url}/api/server`)).status, 200);
});
