import assert from 'node:assert/strict';
import { test } from 'node:test';
import { userKey } from '../../../../src/core/domain/user.ts';
import { Visitor } from '../../../faces/pages/browse.ts';
import type { TestService } from '../../../service/start.ts';
import { ask, logIn } from '../../../service/talk.ts';
import { until } from '../../../service/until.ts';
import { AUDIENCE, bearer, loginsOf, ME, PERSON, startForTokens, V1 } from './token-bearer.ts';

const ticketIn = (text: string): string => JSON.parse(text).entry.id;

const userOf = ({ store }: TestService, name: string) =>
  store.read(({ users }) => users.findByKey(userKey(name)));

test('an access token gives a ticket of its user, who is added, and whose events name the provider', async (t) => {
  const { service, acme, asking } = await startForTokens(t, { groups: { claim: 'groups' } });
  const token = await acme.accessToken('s-anna', AUDIENCE);
  const { status, text } = await asking(token);
  assert.equal(status, 200, text);
  const ticket = ticketIn(text);
  assert.match(ticket, /^TICKET_[0-9a-f]{40}$/);
  const person = await ask(service.url + PERSON, { headers: bearer(ticket) });
  assert.equal(JSON.parse(person.text).entry.email, 'anna@example.org');
  const groups = await ask(`${service.url}${PERSON}/groups`, { headers: bearer(ticket) });
  assert.match(groups.text, /GROUP_editors/);
  assert.notEqual(ticketIn((await asking(token)).text), ticket);
  const login = ['login', 'anna', 'by acme'];
  assert.deepEqual(await loginsOf(service), [login, login]);
  assert.ok(!service.lines.some((line) => line.includes(token.slice(-20))));
});

test('operations take an access token in place of a ticket, and make none', async (t) => {
  const { service, acme, asking } = await startForTokens(t);
  const token = await acme.accessToken('s-anna', AUDIENCE);
  const { status, text } = await asking(token, PERSON);
  assert.deepEqual([status, JSON.parse(text).entry.id], [200, 'anna']);
  for (const path of [
    '/alfresco/s/touch',
    '/alfresco/s/api/people/anna',
    `${V1}/alfresco/versions/1/people/-me-/groups`,
  ])
    assert.equal((await asking(token, path)).status, 200, path);
  const validated = await asking(
    token,
    '/alfresco/s/api/login/ticket/TICKET_0123456789012345678901234567890123456789',
  );
  assert.equal(validated.status, 404);
  assert.equal((await asking(token, ME, { method: 'DELETE' })).status, 400);
  const user = await userOf(service, 'anna');
  assert.equal(await service.store.read(({ tickets }) => tickets.countOf(user?.id as number)), 0);
  assert.deepEqual(await loginsOf(service), []);
});

test('a ticket for an access token opens neither pages nor administration, whatever the role of its user', async (t) => {
  const { service, acme, asking } = await startForTokens(t);
  const ticket = ticketIn((await asking(await acme.accessToken('s-anna', AUDIENCE))).text);
  const { id } = (await userOf(service, 'anna')) ?? assert.fail('anna is no user');
  await service.store.write(({ users }) => users.change(id, { administrator: true }));
  const administer = (by: string) =>
    ask(`${service.url}/alfresco/s/api/admin/status`, { headers: bearer(by) });
  const { status, text } = await administer(ticket);
  assert.equal(status, 401);
  assert.match(text, /issued for an app password or an access token does not administer/);
  assert.equal((await administer(await logIn(service.url))).status, 200, 'a ticket of a password does');
  const visitor = new Visitor(service);
  visitor.cookies.set('tessera', ticket);
  for (const page of ['/portal/account', '/portal/console']) {
    const refused = await visitor.get(page);
    assert.equal(refused.status, 303, page);
    const location = refused.headers.get('location') ?? '';
    assert.match(location, /^\/portal\/login\?/);
    assert.equal((await visitor.get(location)).status, 200, 'the sign-in page does not lead back');
  }
  const change = `${service.url}/alfresco/s/api/person/changepassword/admin`;
  const init = { method: 'POST', body: JSON.stringify({ newpw: 'an even longer, quieter river' }) };
  for (const by of [ticket, await acme.accessToken('s-anna', AUDIENCE)])
    assert.equal((await ask(change, { ...init, headers: bearer(by) })).status, 403);
});

test('a provider that leaves the second factor to the service: no access token of a user who has one counts', async (t) => {
  const { service, acme, asking } = await startForTokens(t, { askSecondFactor: true });
  const token = await acme.accessToken('s-anna', AUDIENCE);
  assert.equal((await asking(token)).status, 200);
  const { id } = (await userOf(service, 'anna')) ?? assert.fail('anna is no user');
  await service.store.write(({ users }) => users.change(id, { hasSecondFactor: true }));
  for (const path of [ME, PERSON]) assert.equal((await asking(token, path)).status, 401, path);
  assert.equal((await asking(await acme.accessToken('s-anna', AUDIENCE))).status, 401);
  const refused = JSON.stringify(['login-refused', 'anna', 'second-factor-needed']);
  await until('the event', async () =>
    (await loginsOf(service)).some((event) => JSON.stringify(event) === refused),
  );
});

test('without that, the token is enough: the provider has asked for the second factor', async (t) => {
  const { service, acme, asking } = await startForTokens(t);
  const token = await acme.accessToken('s-anna', AUDIENCE);
  assert.equal((await asking(token)).status, 200);
  const { id } = (await userOf(service, 'anna')) ?? assert.fail('anna is no user');
  await service.store.write(({ users }) => users.change(id, { hasSecondFactor: true }));
  assert.equal((await asking(token)).status, 200);
});

test('a live alf_ticket comes before an access token, which may be dead then', async (t) => {
  const { service, acme, asking } = await startForTokens(t);
  await service.addUser('bert');
  const ticket = await logIn(service.url, 'bert');
  for (const token of [await acme.accessToken('s-anna', AUDIENCE), 'opaque'])
    for (const path of [PERSON, ME]) {
      const { status, text } = await asking(token, `${path}?alf_ticket=${ticket}`);
      assert.equal(status, 200, text);
      assert.match(text, path === ME ? new RegExp(ticket) : /"id":"bert"/);
    }
  const dead = `alf_ticket=${ticket.replace(/.$/, (last) => (last === '0' ? '1' : '0'))}`;
  const token = await acme.accessToken('s-anna', AUDIENCE);
  assert.match((await asking(token, `${PERSON}?${dead}`)).text, /"id":"anna"/);
  assert.equal((await asking(token, `${ME}?${dead}`)).status, 401);
});

test('the gate and administration take no access token, and API keys stay what they are', async (t) => {
  const { service, acme, asking } = await startForTokens(t);
  const token = await acme.accessToken('s-anna', AUDIENCE);
  assert.equal((await asking(token, '/gate')).status, 401);
  await service.addUser('bert');
  const cookie = `tessera=${await logIn(service.url, 'bert')}`;
  const gate = await ask(`${service.url}/gate`, { headers: { ...bearer(token), cookie } });
  assert.deepEqual([gate.status, gate.headers.get('x-tessera-user')], [204, 'bert']);
  assert.equal((await asking(token, '/api/admin/status')).status, 401);
  const key = await service.addApiKey('auditor');
  assert.equal((await asking(key, '/api/admin/tickets')).status, 200);
  for (const path of [ME, PERSON]) assert.equal((await asking(key, path)).status, 401);
});

test('a refused token is 401 with what is wrong with it, and an event with the reason but no name', async (t) => {
  const { service, acme, asking } = await startForTokens(t);
  const common = { iss: acme.issuer, aud: AUDIENCE, sub: 's-anna', preferred_username: 'anna' };
  const now = Math.floor(Date.now() / 1_000);
  const cases: readonly (readonly [string, RegExp])[] = [
    ['opaque', /as JWTs/],
    [await acme.sign({ ...common, exp: now - 60 }, { typ: 'at+jwt' }), /expired/],
    [await acme.accessToken('s-anna', 'https://other.example.org'), /audience/],
    [await acme.sign({ ...common, exp: now + 60, nonce: 'n' }), /no access token/],
    [
      await acme.sign({ ...common, exp: now + 60, preferred_username: undefined }, { typ: 'at+jwt' }),
      /preferred_username/,
    ],
  ];
  for (const [token, expected] of cases)
    for (const path of [ME, PERSON]) {
      const { status, headers, text } = await asking(token, path);
      assert.equal(status, 401);
      assert.match(JSON.parse(text).error.briefSummary, expected);
      assert.equal(headers.get('www-authenticate'), 'Bearer realm="Tessera", error="invalid_token"');
    }
  assert.equal(await userOf(service, 'anna'), undefined);
});
