import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { Sweeper } from '../../../src/core/storage/sweep.ts';
import type { Visitor } from '../../faces/pages/browse.ts';
import { startTestService } from '../../service/start.ts';
import { until } from '../../service/until.ts';
import { asked } from '../admin/http/asked.ts';
import { type ReceivedMessage, startReceiver } from '../webhooks/receiver.ts';
import { addApplication, ISSUER, PROVIDER, RelyingParty } from './relying-party.ts';

const HOUR = 3_600_000;
const CERTS = '/auth/realms/alfresco/protocol/openid-connect/certs';
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** A service with an application that takes logout tokens at this receiver, and one that does not. */
async function started(t: TestContext, receiver: Awaited<ReturnType<typeof startReceiver>>) {
  const service = await startTestService(t, PROVIDER);
  for (const name of ['anna', 'ben']) await service.addUser(name);
  const secret = await addApplication(service, 'app', { trusted: true, backchannelLogoutUri: receiver.url });
  const party = await RelyingParty.discover(service, 'app', oidc.ClientSecretBasic(secret));
  const keys = (await (await fetch(`${service.url}${CERTS}`)).json()) as JSONWebKeySet;
  /** What an application reads in a token that it got, after it checked that as the specification says. */
  async function claimsOf({ headers, body }: ReceivedMessage) {
    assert.match(headers['content-type'] ?? '', /^application\/x-www-form-urlencoded/);
    const token = new URLSearchParams(body).get('logout_token') ?? '';
    const options = { issuer: ISSUER, audience: 'app', typ: 'logout+jwt' };
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), options);
    assert.deepEqual((payload.events as Record<string, object>)[EVENT], {});
    assert.ok(payload.jti && !('nonce' in payload));
    return payload;
  }
  return { service, party, claimsOf };
}

/** What names the session in the tokens of a sign-in. */
async function signIn(party: RelyingParty, visitor: Visitor, user = 'anna', more = {}) {
  const { id_token = '' } = await party.signIn(visitor, more, user);
  const { sub, sid } = decodeJwt(id_token);
  assert.ok(sub && sid);
  return { sub, sid };
}

const sessionOf = ({ sub, sid }: { sub?: string; sid?: unknown }) => ({ sub, sid });

test('an application is told of the ticket that ended, by a token that it verifies, and of no other', async (t) => {
  const receiver = await startReceiver(t);
  const { service, party, claimsOf } = await started(t, receiver);
  const { backchannel_logout_supported: told, backchannel_logout_session_supported: withSession } =
    party.configuration.serverMetadata();
  assert.deepEqual([told, withSession], [true, true]);
  const [home, work] = [party.visitor(), party.visitor()];
  const [first, second] = [await signIn(party, home), await signIn(party, work)];
  assert.deepEqual(await signIn(party, home), first, 'it is one session in one browser');
  assert.equal(first.sub, second.sub);
  assert.notEqual(first.sid, second.sid);
  await home.send('/portal/account', '/portal/logout');
  await until('the first token comes', () => receiver.received.length === 1);
  assert.deepEqual(sessionOf(await claimsOf(receiver.received[0] as ReceivedMessage)), first);

  const ben = await signIn(party, party.visitor(), 'ben');
  const away = await signIn(party, party.visitor(), 'ben', {
    scope: 'openid offline_access',
    prompt: 'consent',
  });
  const disable = { method: 'PATCH', body: '{"disabled":true}' };
  assert.equal((await asked(service, '/users/ben', disable)).status, 204);
  await until('both of ben come', () => receiver.received.length === 3);
  assert.equal((await asked(service, '/tickets', { method: 'DELETE' })).status, 204);
  await until('the last one comes', () => receiver.received.length === 4);
  const claims = await Promise.all(receiver.received.map(claimsOf));
  const sids = claims.map(({ sid }) => sid);
  assert.deepEqual(sids.slice(1, 3).sort(), [ben.sid, away.sid].sort());
  assert.equal(sids[3], second.sid);
  assert.equal(new Set(claims.map(({ jti }) => jti)).size, 4);
});

test('a token that is not taken is made anew for the next try, and waits with the webhooks', async (t) => {
  const receiver = await startReceiver(
    t,
    (n, _, response) => void response.writeHead(n === 0 ? 503 : 200).end(),
  );
  const { service, party, claimsOf } = await started(t, receiver);
  const visitor = party.visitor();
  const session = await signIn(party, visitor);
  await visitor.send('/portal/account', '/portal/logout');
  const state = async () => (await asked(service, '/webhooks')).body.items[0];
  await until('the failure is noted', async () => (await state()).lastFault !== undefined);
  const { id, waiting, lastFault } = await state();
  assert.deepEqual([id, waiting], ['backchannel_logout', 1]);
  assert.match(lastFault, /^app: expected 200 OK from http:.*, got: 503/);
  service.shiftClock(60_000);
  await until('the next try comes', () => receiver.received.length === 2);
  const [first, second] = await Promise.all(receiver.received.map(claimsOf));
  assert.deepEqual(sessionOf(second ?? {}), session);
  assert.notEqual(first?.jti, second?.jti);
  await until('nothing waits', async () => (await state()).waiting === 0);
});

test("an application that its user ends on the account page is told once, of its own ticket and of the browser's", async (t) => {
  const receiver = await startReceiver(t);
  const { service, party, claimsOf } = await started(t, receiver);
  const visitor = party.visitor();
  const here = await signIn(party, visitor);
  const away = await signIn(party, visitor, 'anna', { scope: 'openid offline_access', prompt: 'consent' });
  await visitor.send('/portal/account', '/portal/account/applications/end', { application: 'app' });
  await until('both tokens come', () => receiver.received.length === 2);
  const claims = (await Promise.all(receiver.received.map(claimsOf))).map(sessionOf);
  assert.deepEqual(new Set(claims), new Set([here, away]));
  assert.equal((await visitor.get('/portal/account')).status, 200, 'the sign-in at the service goes on');
  const events = await service.store.read((unit) => unit.events.latest({ limit: 20 }));
  const [event] = events.filter(({ kind }) => kind === 'application-disconnected');
  assert.deepEqual([event?.user, event?.reason], ['anna', 'app']);
  await until('nothing is left to tell', async () => {
    const kinds = ['Grant', 'EndedGrant'];
    const { id } = (await service.store.read(({ users }) => users.findByKey('anna'))) ?? { id: 0 };
    const left = await service.store.read(({ providerEntries }) =>
      Promise.all(kinds.map((kind) => providerEntries.ofUser(id, kind))),
    );
    return left.flat().length === 0;
  });
  assert.equal(receiver.received.length, 2);
});

test('"This was not me" tells the application also of the sign-in in this browser', async (t) => {
  const receiver = await startReceiver(t);
  const { party, claimsOf } = await started(t, receiver);
  const visitor = party.visitor();
  const here = await signIn(party, visitor);
  await visitor.send('/portal/account/not-me', '/portal/account/not-me', {
    oldPassword: 'correct-horse-battery',
    newPassword: 'an even longer, quieter river',
  });
  await until('the token comes', () => receiver.received.length === 1);
  assert.deepEqual(sessionOf(await claimsOf(receiver.received[0] as ReceivedMessage)), here);
});

test('an application is told of each user who is removed', async (t) => {
  const receiver = await startReceiver(t);
  const { service, party, claimsOf } = await started(t, receiver);
  const ben = await signIn(party, party.visitor(), 'ben');
  const anna = await signIn(party, party.visitor(), 'anna');
  assert.equal((await asked(service, '/users/ben', { method: 'DELETE' })).status, 204);
  await until('the token comes', () => receiver.received.length === 1);
  assert.deepEqual(sessionOf(await claimsOf(receiver.received[0] as ReceivedMessage)), ben);
  assert.equal((await asked(service, '/users/anna', { method: 'DELETE' })).status, 204);
  await until('the next token comes', () => receiver.received.length === 2);
  assert.deepEqual(sessionOf(await claimsOf(receiver.received[1] as ReceivedMessage)), anna);
});

test('an application is told of a ticket that expired, once the sweeper has found it', async (t) => {
  const receiver = await startReceiver(t);
  const { service, party, claimsOf } = await started(t, receiver);
  const old = await signIn(party, party.visitor());
  service.shiftClock(2 * HOUR);
  const fresh = await signIn(party, party.visitor());
  const sweeper = new Sweeper({
    store: service.store,
    lifetime: { idle: HOUR, age: Number.POSITIVE_INFINITY },
    eventsKeep: 24 * HOUR,
    sweeps: [],
    clock: () => Date.now() + 2 * HOUR,
    onFault: assert.ifError,
  });
  await sweeper.walk();
  await until('the token comes', () => receiver.received.length === 1);
  const claims = sessionOf(await claimsOf(receiver.received[0] as ReceivedMessage));
  assert.deepEqual(claims, old);
  assert.notEqual(claims.sid, fresh.sid);
});
