import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { ClientAddresses } from '../../../src/core/http/client-address.ts';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { converse } from './connection.ts';
import { linesAbout } from './log-lines.ts';
import { exchange, play, type Scenario, WRONG } from './scenario.ts';

type Forwarded = string | string[] | undefined;
const from = (forwarded: Forwarded) => (forwarded === undefined ? {} : { 'x-forwarded-for': forwarded });

const TRUSTED = '127.0.0.1, 10.0.0.0/8, ::ffff:172.16.0.0/108, 2001:db8:f::/48, 2001:db8:a::1';

const BEHIND_PROXIES: [name: string, forwarded: Forwarded, address: string][] = [
  ['is the peer where the proxy names none', undefined, '127.0.0.1'],
  ['is the one that the proxy names', '203.0.113.7', '203.0.113.7'],
  ['is the last of several, the others being hearsay', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['is the last before trusted proxies', '198.51.100.1,203.0.113.7 , 10.1.2.3,10.9.9.9', '203.0.113.7'],
  ['is the last before a trusted range in mapped notation', '203.0.113.7, 172.31.0.1', '203.0.113.7'],
  ['is the neighbour of a trusted address', '203.0.113.7, 127.0.0.0', '127.0.0.0'],
  ['is the last before a trusted address of IPv6', '203.0.113.7, 2001:db8:a::1', '203.0.113.7'],
  ['is the neighbour of a trusted address of IPv6', '203.0.113.7, 2001:db8:a::', '2001:db8:a::/64'],
  ['is the neighbour of a trusted range', '203.0.113.7, 11.0.0.1', '11.0.0.1'],
  ['is the neighbour of a trusted range in mapped notation', '203.0.113.7, 172.32.0.1', '172.32.0.1'],
  ['is the last before a trusted range of IPv6', '203.0.113.7, 2001:db8:f:1::1', '203.0.113.7'],
  ['is the neighbour of a trusted range of IPv6', '203.0.113.7, 2001:db8:e::1', '2001:db8:e::/64'],
  ['is the first proxy where all are trusted', '10.1.2.3, 10.9.9.9', '10.1.2.3'],
  ['is read from several headers as from one', ['198.51.100.1', '203.0.113.7', '10.1.2.3'], '203.0.113.7'],
  ['is read with a port', '203.0.113.7:51111', '203.0.113.7'],
  ['is the /64 of an IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['is read in brackets with a port', '[2001:db8:1:2::7]:443', '2001:db8:1:2::/64'],
  ['is an IPv4 address where it is mapped into IPv6', '::ffff:203.0.113.7', '203.0.113.7'],
  ['is the peer where the proxy names nonsense', 'unknown', '127.0.0.1'],
  ['is the peer where the last is nonsense, whatever stands before', '203.0.113.7, <script>', '127.0.0.1'],
  ['is no nonsense that stands before the last', 'unknown, 203.0.113.7', '203.0.113.7'],
  ['is the proxy behind which a hop is empty, whatever stands before', '203.0.113.7, , 10.1.2.3', '10.1.2.3'],
  ['is the peer where the header is empty', '', '127.0.0.1'],
];

test('the address of a client behind trusted proxies', async (t) => {
  const service = await startTestService(t, { TESSERA_TRUSTED_PROXIES: TRUSTED });
  const { url, store, lines } = service;
  for (const [name, forwarded, address] of BEHIND_PROXIES) {
    await t.test(name, async () => {
      const login = `GET /api/login?u=admin&pw=${PASSWORD}`;
      const heard = await exchange(url, login, { headers: from(forwarded) });
      const events = await store.read((unit) => unit.events.list({ user: 'admin' }));
      assert.deepEqual([events.at(-1)?.kind, events.at(-1)?.from], ['login', address]);
      const [line] = await linesAbout(lines, heard);
      assert.equal(line?.address, address);
    });
  }

  await t.test('is the one that the proxy names behind as many fields as there may be, or none', async () => {
    const of = (fields: number) => {
      const others = 'a:\r\n'.repeat(fields - 3);
      const header = `Host: x\r\n${others}X-Forwarded-For: 203.0.113.7\r\nConnection: close`;
      return converse(url, `GET /api/login?u=admin&pw=${PASSWORD} HTTP/1.1\r\n${header}\r\n\r\n`);
    };
    const eventsNow = () => store.read((unit) => unit.events.list({ user: 'admin' }));
    const [within] = await of(1_000);
    assert.equal(within?.status, 200);
    const events = await eventsNow();
    assert.equal(events.at(-1)?.from, '203.0.113.7');
    const [beyond] = await of(1_001);
    assert.equal(beyond?.status, 431);
    assert.deepEqual(await eventsNow(), events);
    const [line] = await linesAbout(lines, beyond);
    assert.equal(line?.operation, 'org/service/repository/login.get');
    assert.equal(line.address, '203.0.113.7');
  });

  for (const ask of ['GET /nowhere', 'PUT /api/login', 'GET /api/%login']) {
    await t.test(`is the one that the proxy names in the line of a refused ${ask}`, async () => {
      const heard = await exchange(url, ask, { headers: from('203.0.113.7') });
      const [line] = await linesAbout(lines, heard);
      assert.equal(line?.address, '203.0.113.7');
    });
  }

  await t.test('is the proxy in the line of what cannot be read as HTTP', async () => {
    const [heard] = await converse(url, 'nonsense\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n');
    const [line] = await linesAbout(lines, heard ?? assert.fail('no answer'));
    assert.equal(line?.address, '127.0.0.1');
  });

  const login = (name: string, address: string, password: string, status: number): Scenario => {
    const ask = `GET /api/login?u=admin&pw=${password}`;
    return { name, ask, headers: from(address), status };
  };
  // The waits double: after these the two addresses wait for half a minute.
  for (const address of ['203.0.113.9', '2001:db8:9:9::1']) {
    for (let failures = 1; failures <= 10; failures += 1) {
      service.shiftClock(60_000);
      await exchange(url, `GET /api/login?u=admin&pw=${WRONG}`, { headers: from(address) });
    }
  }
  await play(t, url, [
    login('waits after failures', '2001:db8:9:9::1', PASSWORD, 403),
    login('waits with its whole /64', '2001:db8:9:9:8:7:6:5', PASSWORD, 403),
    login('does not wait for the neighbouring /64', '2001:db8:9:a::1', PASSWORD, 200),
    login('does not wait for another one behind the same proxy', '203.0.113.10', PASSWORD, 200),
  ]);
});

/** Asks from `remoteAddress` with this header; returns the client's address. */
const addressOf = (addresses: ClientAddresses, remoteAddress: string, forwarded?: string) =>
  addresses.of({ socket: { remoteAddress } as Socket, headers: from(forwarded) });

test('a range of mapped IPv4 addresses is a range of IPv4, a wider range of IPv6 is not', () => {
  const all = new ClientAddresses(['::ffff:0:0/96'], () => undefined);
  assert.equal(addressOf(all, '192.0.2.1', '203.0.113.7'), '203.0.113.7');
  const wider = new ClientAddresses(['::ffff:0:0/95'], () => undefined);
  assert.equal(addressOf(wider, '192.0.2.1', '203.0.113.7'), '192.0.2.1');
});

test('a peer that is not trusted and sends X-Forwarded-For is reported once, and 100 peers at most', () => {
  const reported: string[] = [];
  const addresses = new ClientAddresses(['127.0.0.1'], (peer) => void reported.push(peer));
  addressOf(addresses, '192.0.2.1');
  addressOf(addresses, '127.0.0.1', '203.0.113.7');
  assert.deepEqual(reported, []);
  for (let time = 0; time < 3; time += 1) addressOf(addresses, '192.0.2.1', '203.0.113.7');
  assert.deepEqual(reported, ['192.0.2.1']);
  for (let host = 0; host < 200; host += 1) addressOf(addresses, `198.51.100.${host}`, '203.0.113.7');
  assert.equal(reported.length, 100);
});

test('the address of a client without a trusted proxy', async (t) => {
  const { url, store, lines } = await startTestService(t);
  await t.test('is the peer, whatever X-Forwarded-For says', async () => {
    const headers = { ...from('203.0.113.7'), forwarded: 'for=203.0.113.7', 'x-real-ip': '203.0.113.7' };
    await exchange(url, `GET /api/login?u=admin&pw=${PASSWORD}`, { headers });
    const events = await store.read((unit) => unit.events.list({ user: 'admin' }));
    assert.equal(events.at(-1)?.from, '127.0.0.1');
  });

  await t.test('is warned of once for each peer that sends X-Forwarded-For, with the setting', async () => {
    for (let time = 0; time < 3; time += 1)
      await exchange(url, 'GET /api/server', { headers: from('203.0.113.7') });
    const warned = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes('X-Forwarded-For'));
    assert.deepEqual(
      warned.map(({ level, peer }) => [level, peer]),
      [[40, '127.0.0.1']],
    );
    assert.match(warned[0].msg, /TESSERA_TRUSTED_PROXIES/);
  });
});
