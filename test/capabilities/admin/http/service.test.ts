import assert from 'node:assert/strict';
import { test } from 'node:test';
import { variableOf } from '../../../../src/core/settings/table.ts';
import { VERSION } from '../../../../src/core/version.ts';
import { SETTINGS } from '../../../../src/main/settings.ts';
import { startTestService } from '../../../service/start.ts';
import { basic, logIn } from '../../../service/talk.ts';
import { asked, eventsByKeys } from './asked.ts';

test('the settings in force are all shown, with the source of each, and no secret', async (t) => {
  const secret = 'redis-has-this-secret';
  const service = await startTestService(t, {
    TESSERA_ANNOUNCED_EDITION: 'Community',
    TESSERA_TICKETS_PASSWORD: secret,
  });
  const { body } = await asked(service, '/settings', {}, 'operator');
  const shown = new Map(body.items.map((item: { setting: string }) => [item.setting, item]));
  assert.deepEqual([...shown.keys()], SETTINGS.groups.flatMap(({ keys }) => keys).map(variableOf));
  const edition = {
    setting: 'TESSERA_ANNOUNCED_EDITION',
    value: 'Community',
    from: 'TESSERA_ANNOUNCED_EDITION',
  };
  assert.deepEqual(shown.get('TESSERA_ANNOUNCED_EDITION'), edition);
  const idle = { setting: 'TESSERA_TICKET_IDLE', value: 'PT1H', from: 'default' };
  assert.deepEqual(shown.get('TESSERA_TICKET_IDLE'), idle);
  assert.doesNotMatch(JSON.stringify(body), new RegExp(secret));
  const masked = { setting: 'TESSERA_TICKETS_PASSWORD', value: '***', from: 'TESSERA_TICKETS_PASSWORD' };
  assert.deepEqual(shown.get('TESSERA_TICKETS_PASSWORD'), masked);
});

test('the status says the version, the engines, since when it runs, and how much it holds', async (t) => {
  const service = await startTestService(t);
  service.stopClock();
  service.shiftClock(90_000);
  await service.addUser('ann');
  const { body } = await asked(service, '/status', {}, 'operator');
  const { version, storage, users, uptime, startedAt, now, hashesWaiting, liveTickets } = body;
  assert.deepEqual(
    { version, storage, users, hashesWaiting, liveTickets },
    {
      version: VERSION,
      storage: { database: 'sqlite', tickets: 'sqlite' },
      ...{ users: 2, hashesWaiting: 0, liveTickets: 0 },
    },
  );
  assert.ok(uptime >= 89 && uptime <= 90, uptime);
  assert.ok(Date.parse(now) - Date.parse(startedAt) <= 90_999);
});

test('a client is registered, shown, used and removed; its secret is in one answer', async (t) => {
  const service = await startTestService(t);
  const added = await asked(service, '/clients', { method: 'POST', body: '{"name":"gateway"}' });
  assert.equal(added.status, 201);
  const { secret, ...shown } = added.body;
  assert.match(secret, /^SECRET_[0-9a-f]{64}$/);
  assert.deepEqual((await asked(service, '/clients/gateway')).body, shown);
  assert.deepEqual((await asked(service, '/clients')).body, { items: [shown] });
  const token = await logIn(service.url);
  const introspected = () =>
    fetch(`${service.url}/oauth2/introspect`, {
      method: 'POST',
      headers: basic(`gateway:${secret}`),
      body: new URLSearchParams({ token }),
    });
  assert.equal((await introspected()).status, 200);
  const again = await asked(service, '/clients', { method: 'POST', body: '{"name":"gateway"}' });
  assert.deepEqual([again.status, again.body.code], [409, 'client_taken']);
  assert.equal((await asked(service, '/clients/gateway', { method: 'DELETE' })).status, 204);
  assert.equal((await introspected()).status, 401);
  const events = (await eventsByKeys(service)).map(({ kind, reason }) => [kind, reason]);
  assert.deepEqual(events, [
    ['client-added', 'gateway'],
    ['client-removed', 'gateway'],
  ]);
});

test('clients are listed by name, page by page', async (t) => {
  const service = await startTestService(t);
  for (const name of ['b', 'a', 'C']) await service.addClient(name);
  const names = (body: { items: { name: string }[] }) => body.items.map(({ name }) => name);
  const first = (await asked(service, '/clients?limit=2')).body;
  assert.deepEqual(names(first), ['C', 'a']);
  const second = (await asked(service, `/clients?limit=2&cursor=${first.next}`)).body;
  assert.deepEqual(names(second), ['b']);
  assert.equal(second.next, undefined);
});
