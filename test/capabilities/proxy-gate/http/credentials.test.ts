import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SettingsFaulty } from '../../../../src/core/settings/read.ts';
import { readSettings } from '../../../../src/main/settings.ts';
import { WRONG } from '../../../core/http/scenario.ts';
import { afterwards } from '../../../service/afterwards.ts';
import { PASSWORD } from '../../../service/start.ts';
import { openSqlite } from '../../../service/stores.ts';
import { basic, logIn } from '../../../service/talk.ts';
import { type Asked, bearer, startAsked, TRUSTED, UNKNOWN, URI_HEADER } from './asking.ts';

/** The user whom the gate lets through for these headers; undefined for a 401. */
async function through(ask: Asked['ask'], headers: Record<string, string>, target?: string) {
  const heard = await ask(headers, target);
  assert.ok([204, 401].includes(heard.status), `${heard.status} ${heard.text}`);
  return heard.headers['x-tessera-user'];
}

const uri = (text: string) => ({ [URI_HEADER]: text });

test('a ticket is read from Authorization in every form that it has there', async (t) => {
  const { ask, ticket } = await startAsked(t);
  for (const headers of [
    bearer(ticket),
    basic(`ROLE_TICKET:${ticket}`),
    basic(`role_ticket:${ticket}`),
    basic(`:${ticket}`),
    basic(ticket),
  ])
    assert.equal(await through(ask, headers), 'mia');
});

test('a user and password are no credential: they cause no hash, no count and no event, and a login after many of them succeeds', async (t) => {
  const { ask, service } = await startAsked(t, {
    TESSERA_THROTTLE_AFTER: '1',
    TESSERA_LOCKOUT_THRESHOLD: '2',
  });
  for (let time = 0; time < 5; time += 1) {
    assert.equal(await through(ask, basic(`mia:${WRONG}`)), undefined);
    assert.equal(await through(ask, basic(`mia:${PASSWORD}`)), undefined);
    assert.equal(await through(ask, basic('admin:')), undefined);
  }
  await logIn(service.url, 'mia');
  await service.stop();
  const store = openSqlite(service.data);
  afterwards(t, () => store.close());
  const kinds = (await store.read((unit) => unit.events.list({}))).map(({ kind }) => kind);
  assert.deepEqual(new Set(kinds), new Set(['user-added', 'login']));
});

test('alf_ticket is read from the URI that a trusted proxy passes on', async (t) => {
  const { ask, ticket } = await startAsked(t, TRUSTED);
  for (const text of [
    `/page?alf_ticket=${ticket}`,
    `/page?x=100%&alf_ticket=${ticket}&format=pdf`,
    `/a?b?c&alf_ticket=${ticket}`,
    `/page?alf_ticket=${UNKNOWN}&alf_ticket=${ticket}`,
    `https://app.example.org/page?alf_ticket=${ticket}`,
  ])
    assert.equal(await through(ask, uri(text)), 'mia', text);
  for (const text of [
    '/page',
    '/page?',
    `/alf_ticket=${ticket}`,
    `/page?ticket=${ticket}`,
    `/%?alf_ticket=${ticket}, /`,
  ])
    assert.equal(await through(ask, uri(text)), undefined, text);
});

test('of a URI no more values of alf_ticket are looked up than of a request’s own, and none twice', async (t) => {
  const { ask, ticket } = await startAsked(t, TRUSTED);
  const behind = (unknown: number) => {
    const others = Array.from({ length: unknown }, (_, index) => `TICKET_${`${index}`.padStart(40, '0')}`);
    return uri(`/page?${[...others, ...others, ticket].map((value) => `alf_ticket=${value}`).join('&')}`);
  };
  assert.equal(await through(ask, behind(7)), 'mia');
  assert.equal(await through(ask, behind(8)), undefined);
});

test('it is read neither from the gate’s own URL, nor from another header, nor if no header is set', async (t) => {
  const { ask, ticket } = await startAsked(t, TRUSTED);
  assert.equal(await through(ask, {}, `GET /gate?alf_ticket=${ticket}`), undefined);
  assert.equal(await through(ask, {}, `GET /gate/page?alf_ticket=${ticket}`), undefined);
  assert.equal(await through(ask, { 'x-forwarded-uri': `/?alf_ticket=${ticket}` }), undefined);
  const unnamed = await startAsked(t, { TESSERA_TRUSTED_PROXIES: '127.0.0.1' });
  assert.equal(await through(unnamed.ask, uri(`/?alf_ticket=${unnamed.ticket}`)), undefined);
});

test('only the URI of a trusted proxy is read', async (t) => {
  const { ask, ticket } = await startAsked(t, { ...TRUSTED, TESSERA_TRUSTED_PROXIES: '192.0.2.1' });
  assert.equal(await through(ask, uri(`/?alf_ticket=${ticket}`)), undefined);
});

test('Authorization comes first, and a dead ticket or a password in it falls through to the URI', async (t) => {
  const { ask, ticket, service } = await startAsked(t, TRUSTED);
  const admins = await logIn(service.url);
  const inUri = uri(`/?alf_ticket=${ticket}`);
  assert.equal(await through(ask, { ...bearer(admins), ...inUri }), 'admin');
  assert.equal(await through(ask, { ...bearer(UNKNOWN), ...inUri }), 'mia');
  assert.equal(await through(ask, { ...basic(`admin:${PASSWORD}`), ...inUri }), 'mia');
  assert.equal(await through(ask, { ...bearer(admins), ...uri(`/?alf_ticket=${UNKNOWN}`) }), 'admin');
});

test('live tickets of two users in one URI let nobody through', async (t) => {
  const { ask, ticket, service } = await startAsked(t, TRUSTED);
  const both = `/?alf_ticket=${ticket}&alf_ticket=${await logIn(service.url)}`;
  assert.equal(await through(ask, uri(both)), undefined);
});

test('a URI header without a trusted proxy, or with a text that is no name of a header, is a fault of the settings', () => {
  const faultsOf = (env: Record<string, string>) => {
    try {
      readSettings({ flags: {}, env });
    } catch (error) {
      assert.ok(error instanceof SettingsFaulty);
      return error.faults;
    }
    return [];
  };
  assert.deepEqual(faultsOf(TRUSTED), []);
  const [alone = ''] = faultsOf({ TESSERA_GATE_URI_HEADER: 'X-Original-URI' });
  assert.match(alone, /^TESSERA_GATE_URI_HEADER: .*TESSERA_TRUSTED_PROXIES/);
  const [named = ''] = faultsOf({ ...TRUSTED, TESSERA_GATE_URI_HEADER: 'X-Original-URI:' });
  assert.match(named, /no name of a header: write one such as X-Original-URI/);
});
