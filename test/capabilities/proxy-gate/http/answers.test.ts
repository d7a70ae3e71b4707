import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerText } from '../../../../src/capabilities/proxy-gate/operations/gate.get.ts';
import { assertSound } from '../../../core/http/scenario.ts';
import { ask as fetched, logIn } from '../../../service/talk.ts';
import { until } from '../../../service/until.ts';
import { bearer, startAsked, UNKNOWN } from './asking.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test('a live ticket is let through, with its user and its end in headers', async (t) => {
  const { ask, ticket } = await startAsked(t);
  const heard = await ask(bearer(ticket));
  assert.deepEqual([heard.status, heard.text], [204, '']);
  assertSound(heard);
  assert.equal(heard.headers['x-tessera-user'], 'mia');
  const expires = heard.headers['x-tessera-ticket-expires'] as string;
  assert.match(expires, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.ok(Math.abs(Date.parse(expires) - (Date.now() + HOUR)) < 10_000, expires);
});

test('for a proxy that accepts only 200 a live ticket is answered with 200, still without a body', async (t) => {
  const { ask, ticket } = await startAsked(t, { TESSERA_GATE_ANSWERS: '200' });
  const { status, text, headers } = await ask(bearer(ticket));
  assert.deepEqual(
    [status, text, headers['content-length'], headers['content-type']],
    [200, '', '0', undefined],
  );
  assert.equal(headers['x-tessera-user'], 'mia');
  assert.ok(headers['x-tessera-ticket-expires']);
  assert.equal((await ask(bearer(UNKNOWN))).status, 401);
});

test('the end is that of the age if it comes first; without limits there is no end', async (t) => {
  const young = await startAsked(t, { TESSERA_TICKET_AGE: 'PT10M' });
  const { headers } = await young.ask(bearer(young.ticket));
  const left = Date.parse(headers['x-tessera-ticket-expires'] as string) - Date.now();
  assert.ok(Math.abs(left - 10 * MINUTE) < 10_000, `${left}`);
  const endless = await startAsked(t, { TESSERA_TICKET_AGE: 'off', TESSERA_TICKET_IDLE: 'off' });
  const heard = await endless.ask(bearer(endless.ticket));
  assert.equal(heard.status, 204);
  assert.equal(heard.headers['x-tessera-ticket-expires'], undefined);
});

test('an end that no date can hold is left out', async (t) => {
  const { ask, service } = await startAsked(t, { TESSERA_TICKET_AGE: 'P36500D', TESSERA_TICKET_IDLE: 'off' });
  service.shiftClock(Date.UTC(9_950) - Date.now());
  const heard = await ask(bearer(await logIn(service.url)));
  assert.deepEqual([heard.status, heard.headers['x-tessera-ticket-expires']], [204, undefined]);
});

test('a name is in its header percent-encoded, as UTF-8, except letters, digits and -._~@', async (t) => {
  const { ask, service } = await startAsked(t);
  for (const [name, text] of [
    ['ann.lee_1~2-3@example.org', 'ann.lee_1~2-3@example.org'],
    ['Jörg Müller', 'J%C3%B6rg%20M%C3%BCller'],
    ["o'neil (%41)*!", 'o%27neil%20%28%2541%29%2A%21'],
    ['漢😀', '%E6%BC%A2%F0%9F%98%80'],
    ['a,b;c="d"/\\é', 'a%2Cb%3Bc%3D%22d%22%2F%5C%C3%A9'],
  ] as const) {
    assert.equal(headerText(name), text);
    await service.addUser(name);
    const { headers } = await ask(bearer(await logIn(service.url, name)));
    assert.equal(headers['x-tessera-user'], text);
    assert.equal(decodeURIComponent(text), name);
  }
});

test('a ticket that is not live is 401 with the challenge, and names nobody', async (t) => {
  const { ask, ticket, service } = await startAsked(t);
  const refused = async (headers: Record<string, string>, scheme = 'Basic') => {
    const heard = await ask(headers);
    assert.equal(heard.status, 401);
    assertSound(heard);
    assert.equal(heard.headers['www-authenticate'], `${scheme} realm="Tessera"`);
    assert.equal(heard.headers['x-tessera-user'], undefined);
    assert.equal(heard.headers['x-tessera-ticket-expires'], undefined);
  };
  await refused({});
  await refused({ 'x-requested-with': 'XMLHttpRequest' }, 'AlfTicket');
  await refused(bearer(UNKNOWN));
  await refused(bearer(ticket.toUpperCase()));
  await fetched(`${service.url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`, { method: 'DELETE' });
  await refused(bearer(ticket));
});

test('a user who is locked or disabled is not let through, for the very next request; once unlocked it is again', async (t) => {
  const { ask, ticket, service } = await startAsked(t);
  const change = (what: object) =>
    service.store.write(async ({ users }) =>
      users.change((await users.findByKey('mia'))?.id as number, what),
    );
  const status = async () => (await ask(bearer(ticket))).status;
  assert.equal(await status(), 204);
  await change({ lockedUntil: Date.now() + HOUR });
  assert.equal(await status(), 401);
  await change({ lockedUntil: 0 });
  assert.equal(await status(), 204);
  await change({ disabled: true });
  assert.equal(await status(), 401);
  await change({ disabled: false, generation: 1 });
  assert.equal(await status(), 401);
});

test('a request that is let through counts as a use of its ticket', async (t) => {
  const { ask, ticket, service } = await startAsked(t);
  const usedAt = () =>
    service.store.read(async (unit) => (await unit.tickets.page(undefined, 1))[0]?.ticket.usedAt);
  for (let round = 0; round < 3; round += 1) {
    service.shiftClock(59 * MINUTE);
    const before = await usedAt();
    assert.equal((await ask(bearer(ticket))).status, 204);
    await until('the use is written', async () => (await usedAt()) !== before);
  }
  service.shiftClock(HOUR);
  assert.equal((await ask(bearer(ticket))).status, 401);
});

test('a store that cannot answer is 503, so that no request passes and no client logs in again', async (t) => {
  const { ask, ticket, service } = await startAsked(t);
  assert.equal((await ask(bearer(ticket))).status, 204);
  await service.store.close();
  const heard = await ask(bearer(ticket));
  assert.equal(heard.status, 503);
  assertSound(heard);
  assert.equal(heard.headers['x-tessera-user'], undefined);
});
