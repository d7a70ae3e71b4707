import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PASSWORD } from '../../../service/start.ts';
import { basic, logIn } from '../../../service/talk.ts';
import { assertSound } from '../scenario.ts';
import { eventsAtEnd, startGateway } from './gateway.ts';

const WRONG_SECRET = `SECRET_${'5ec2e7a1'.repeat(8)}`;

test('a caller that is no registered client is refused as RFC 6749 section 5.2 asks', async (t) => {
  const { service, ask, secret } = await startGateway(t);
  const token = await logIn(service.url);
  for (const [why, headers] of Object.entries({
    'no credential': { authorization: '' },
    'a wrong secret': basic(`gateway:${WRONG_SECRET}`),
    'no secret': basic('gateway:'),
    'a name alone': basic('gateway'),
    'an unknown name': basic(`stranger:${secret}`),
    'another spelling': basic(`Gateway:${secret}`),
    'a name that can be none': basic(`gate\0way:${secret}`),
    'the secret in upper case': basic(`gateway:${secret.toUpperCase()}`),
    'the secret as a bearer': { authorization: `Bearer ${secret}` },
    'a live ticket': { authorization: `Bearer ${token}` },
    'a user': basic(`admin:${PASSWORD}`),
    'a script in a page': { authorization: '', 'x-requested-with': 'XMLHttpRequest' },
  })) {
    const heard = await ask('introspect', { token }, headers);
    assert.equal(heard.status, 401, why);
    assertSound(heard);
    assert.equal(heard.headers['www-authenticate'], 'Basic realm="Tessera"', why);
    assert.equal(heard.headers['content-type'], 'application/json;charset=UTF-8', why);
    assert.deepEqual(Object.keys(JSON.parse(heard.text)), ['error', 'error_description'], why);
    assert.equal(JSON.parse(heard.text).error, 'invalid_client', why);
  }
});

test('a secret in the body is no credential, and it is refused beside a credential', async (t) => {
  const { ask, secret } = await startGateway(t);
  const form = { token: 'x', client_id: 'gateway', client_secret: secret };
  assert.equal((await ask('introspect', form, { authorization: '' })).status, 401);
  const both = await ask('introspect', form);
  assert.deepEqual([both.status, JSON.parse(both.text).error], [400, 'invalid_request']);
});

test('an unknown caller does not learn what is wrong with its form', async (t) => {
  const { ask } = await startGateway(t);
  assert.equal((await ask('introspect', 'token=a&token=b', { authorization: '' })).status, 401);
});

test('wrong secrets cost no hash, and the right one is accepted at once', async (t) => {
  const { ask, service } = await startGateway(t, { TESSERA_THROTTLE_AFTER: '1' });
  const token = await logIn(service.url);
  for (let time = 0; time < 20; time += 1)
    assert.equal((await ask('introspect', { token }, basic(`gateway:${WRONG_SECRET}`))).status, 401);
  assert.match((await ask('introspect', { token })).text, /"active":true/);
});

test('a removed client is refused from the next request on', async (t) => {
  const { ask, service } = await startGateway(t);
  assert.equal((await ask('introspect', { token: 'x' })).status, 200);
  await service.store.write((unit) => unit.clients.remove('gateway'));
  assert.equal((await ask('introspect', { token: 'x' })).status, 401);
});

test('refused clients are counted in the events without their secret, and an unknown name is only in the log, masked', async (t) => {
  const gateway = await startGateway(t);
  const { ask, service, secret } = gateway;
  const token = await logIn(service.url);
  for (let time = 0; time < 3; time += 1)
    await ask('introspect', { token }, basic(`gateway:${WRONG_SECRET}`));
  await ask('revoke', { token }, basic(`hunter2-hunter2:${secret}`));
  await ask('revoke', { token }, basic(`another-stranger:${secret}`));
  await ask('introspect', { token }, { authorization: `Bearer ${token}` });
  await ask('introspect', { token }, { authorization: '' });
  await ask('introspect', { token });
  const events = await eventsAtEnd(gateway);
  const refused = new Map<string | undefined, number>();
  for (const { kind, user, from, reason, count } of events) {
    if (kind !== 'client-refused') continue;
    assert.deepEqual([user, from], [undefined, '127.0.0.1']);
    refused.set(reason, (refused.get(reason) ?? 0) + count);
  }
  assert.deepEqual(Object.fromEntries(refused), {
    'wrong secret of gateway': 3,
    'unknown client': 2,
    'a ticket is no client': 1,
  });
  const everything = JSON.stringify(events) + service.lines.join('');
  for (const part of [WRONG_SECRET, secret, token, 'hunter2'])
    assert.ok(!everything.includes(part), `${part} was told`);
  assert.ok(service.lines.some((line) => line.includes('"user":"hu… (15 characters)"')));
  const client = service.lines.filter((line) => line.includes('"client":"gateway"'));
  assert.equal(client.length, 1);
});
