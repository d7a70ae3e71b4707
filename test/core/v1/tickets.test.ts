import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { basic, logIn } from '../../service/talk.ts';
import { exchange, type Heard, NOBODY_WAITS, type Sent, WRONG } from '../http/scenario.ts';
import { DEFINITIONS, definitionsOf, ME, SHORT, TICKETS } from './places.ts';

const TICKET = /^TICKET_[0-9a-f]{40}$/;
const login = (userId: unknown, password?: unknown): Sent => ({ body: JSON.stringify({ userId, password }) });
const keyOf = ({ text }: Heard) => JSON.parse(text).error.errorKey;
const summaryOf = ({ text }: Heard) => JSON.parse(text).error.briefSummary;

/** A service without a throttle. Returns a function that sends requests to it. */
async function asked(t: TestContext, env: Record<string, string> = NOBODY_WAITS) {
  const service = await startTestService(t, env);
  const ask = (line: string, sent?: Sent) => exchange(service.url, line, sent);
  const ticketOf = async (name = 'admin'): Promise<string> =>
    JSON.parse((await ask(`POST ${TICKETS}`, login(name, PASSWORD))).text).entry.id;
  return { service, ask, ticketOf };
}

test('a login is 201 with the ticket and its user, in the spelling that is kept', async (t) => {
  const { service, ask } = await asked(t);
  await service.addUser('Alice');
  const { status, headers, text } = await ask(`POST ${TICKETS}`, login('aLICE', PASSWORD));
  assert.equal(status, 201);
  assert.equal(headers['content-type'], 'application/json;charset=UTF-8');
  assert.equal(headers['cache-control'], 'no-cache, no-store');
  const { id } = JSON.parse(text).entry;
  assert.match(id, TICKET);
  assert.equal(text, `{"entry":{"id":"${id}","userId":"Alice"}}`);
});

test('what is missing, null or of another kind is 400, and what is wrong 403, without telling why', async (t) => {
  const { service, ask } = await asked(t);
  await service.addUser('ann');
  for (const sent of [
    ...[login(undefined, PASSWORD), login(null, PASSWORD), login('', PASSWORD), login(7, PASSWORD)],
    ...[login('ann'), login('ann', null), login('ann', 7), login('ann', 'x'.repeat(1_025))],
    ...[{}, { body: '' }, { body: '[]' }, { body: 'null' }, { body: '{"userId":"ann"' }],
  ]) {
    assert.equal((await ask(`POST ${TICKETS}`, sent)).status, 400, String(sent.body));
  }
  for (const sent of [login('ann', WRONG), login('nobody', PASSWORD), login('ann', '')]) {
    const heard = await ask(`POST ${TICKETS}`, sent);
    assert.equal(heard.status, 403);
    assert.equal(summaryOf(heard), 'Login failed');
    assert.equal(heard.headers['www-authenticate'], undefined);
  }
});

test('a login that lacks its user or its password has the key of the reference', async (t) => {
  const { service, ask } = await asked(t);
  await service.addUser('ann');
  for (const [sent, summary] of [
    [login(undefined, PASSWORD), 'Username not specified'],
    [login(null, PASSWORD), 'Username not specified'],
    [login('', PASSWORD), 'Username not specified'],
    [login(null, null), 'Username not specified'],
    [login('ann'), 'Password not specified'],
    [login('ann', null), 'Password not specified'],
    [login('nobody', null), 'Password not specified'],
  ] as const) {
    const heard = await ask(`POST ${TICKETS}`, sent);
    assert.equal(heard.status, 400, sent.body as string);
    assert.equal(keyOf(heard), 'Invalid login details.', sent.body as string);
    assert.equal(summaryOf(heard), summary);
  }
});

test('a user without a password logs in with the password missing, empty or anything', async (t) => {
  const { service, ask } = await asked(t);
  await service.addUser('guest', { password: undefined });
  for (const sent of [login('guest'), login('guest', null), login('guest', ''), login('guest', 'anything')])
    assert.equal((await ask(`POST ${TICKETS}`, sent)).status, 201, sent.body as string);
});

test('a login that has to wait is told how long', async (t) => {
  const { service, ask } = await asked(t, { TESSERA_THROTTLE_AFTER: '1' });
  service.stopClock();
  await ask(`POST ${TICKETS}`, login('admin', WRONG));
  const { status, headers } = await ask(`POST ${TICKETS}`, login('admin', PASSWORD));
  assert.equal(status, 403);
  assert.equal(headers['retry-after'], '1');
});

test('the presented ticket is shown, however it is presented, and is no other', async (t) => {
  const { ask, ticketOf } = await asked(t);
  const ticket = await ticketOf();
  const shown = `{"entry":{"id":"${ticket}"}}`;
  for (const authorization of [
    ...[basic(ticket), basic(`:${ticket}`), basic(`ROLE_TICKET:${ticket}`)].map((each) => each.authorization),
    `Bearer ${ticket}`,
  ]) {
    const { status, text } = await ask(`GET ${ME}`, { headers: { authorization } });
    assert.equal(status, 200);
    assert.equal(text, shown);
  }
  assert.equal((await ask(`GET ${ME}?alf_ticket=${ticket}`)).text, shown);
  assert.equal((await ask(`GET ${ME.replace('/alfresco', '')}?alf_ticket=${ticket}`)).text, shown, SHORT);
});

test('a dead alf_ticket is 401, whatever else is presented, and nothing else is shown or ended', async (t) => {
  const { ask, ticketOf } = await asked(t);
  const live = await ticketOf();
  for (const method of ['GET', 'DELETE']) {
    for (const headers of [basic(live), basic(`admin:${PASSWORD}`)]) {
      const line = `${method} ${ME}?alf_ticket=TICKET_${'0'.repeat(40)}`;
      assert.equal((await ask(line, { headers })).status, 401, `${method} ${headers.authorization}`);
      assert.equal((await ask(`GET ${ME}?alf_ticket=`, { headers: basic(live) })).status, 200);
    }
  }
});

test('another id is 400, even the ticket itself, and so is a name and password in place of a ticket', async (t) => {
  const { ask, ticketOf } = await asked(t);
  const ticket = await ticketOf();
  for (const method of ['GET', 'DELETE']) {
    for (const id of [ticket, '-ME-', 'me', 'admin']) {
      const heard = await ask(`${method} ${TICKETS}/${id}`, { headers: basic(ticket) });
      assert.equal(heard.status, 400, id);
      assert.equal(keyOf(heard), `Invalid parameter: ${id === ticket ? '***' : id}`);
      assert.ok(!heard.text.includes('TICKET_'));
    }
    const heard = await ask(`${method} ${ME}`, { headers: basic(`admin:${PASSWORD}`) });
    assert.equal(heard.status, 400);
    assert.equal(summaryOf(heard), 'Ticket base authentication required.');
  }
  assert.equal((await ask(`GET ${ME}`, { headers: basic(ticket) })).status, 200, 'it lives on');
});

test('no credential, a dead ticket and a wrong password are 401 with a challenge, for scripts with theirs', async (t) => {
  const { ask } = await asked(t);
  const dead = `TICKET_${'0'.repeat(40)}`;
  for (const headers of [{}, basic(dead), basic('no ticket'), basic(`admin:${WRONG}`)]) {
    for (const ask_ of [`GET ${ME}`, `DELETE ${ME}`, `GET ${TICKETS}/other`]) {
      const plain = await ask(ask_, { headers });
      assert.equal(plain.status, 401, ask_);
      assert.equal(plain.headers['www-authenticate'], 'Basic realm="Tessera"');
      assert.equal(JSON.parse(plain.text).error.statusCode, 401);
      const script = await ask(ask_, { headers: { ...headers, 'x-requested-with': 'XMLHttpRequest' } });
      assert.equal(script.headers['www-authenticate'], 'AlfTicket realm="Tessera"');
    }
  }
});

test('a logout is 204 without a body, and the ticket is dead for the very next request', async (t) => {
  const { ask, ticketOf } = await asked(t);
  const [ticket, other] = [await ticketOf(), await ticketOf()];
  const ended = await ask(`DELETE ${ME}`, { headers: basic(ticket) });
  assert.equal(ended.status, 204);
  assert.equal(ended.text, '');
  assert.equal(ended.headers['content-type'], undefined);
  assert.equal((await ask(`GET ${ME}`, { headers: basic(ticket) })).status, 401);
  assert.equal((await ask(`DELETE ${ME}`, { headers: basic(ticket) })).status, 401);
  assert.equal((await ask(`GET ${ME}`, { headers: basic(other) })).status, 200, 'others live on');
});

test('one slash may stand at the end of every path', async (t) => {
  const { ask, ticketOf } = await asked(t);
  assert.equal((await ask(`POST ${TICKETS}/`, login('admin', PASSWORD))).status, 201);
  assert.equal((await ask(`POST ${TICKETS}//`, login('admin', PASSWORD))).status, 404);
  const ticket = await ticketOf();
  for (const [line, status] of [
    [`GET ${ME}/`, 200],
    [`GET ${ME}//`, 404],
    [`GET ${DEFINITIONS}/`, 200],
    [`GET ${DEFINITIONS}/?maxItems=1`, 200],
    [`GET ${DEFINITIONS}/copy/`, 200],
    [`GET ${definitionsOf('-root-')}/`, 200],
    [`GET ${definitionsOf('-root-')}//`, 404],
    [`PUT ${TICKETS}/`, 405],
    [`GET /api/server/`, 404],
    [`DELETE ${ME}/`, 204],
  ] as const)
    assert.equal((await ask(line, { headers: basic(ticket) })).status, status, line);
});

test('tickets are the same for the web scripts and for v1', async (t) => {
  const { service, ask, ticketOf } = await asked(t);
  const [fromV1, fromScript] = [await ticketOf(), await logIn(service.url)];
  const scriptPath = (ticket: string) => `/api/login/ticket/${ticket}?alf_ticket=${ticket}`;
  assert.equal((await ask(`GET ${scriptPath(fromV1)}`)).status, 200);
  assert.equal((await ask(`GET ${ME}?alf_ticket=${fromScript}`)).status, 200);
  assert.equal((await ask(`DELETE ${scriptPath(fromV1)}`)).status, 200);
  assert.equal((await ask(`GET ${ME}?alf_ticket=${fromV1}`)).status, 401);
  assert.equal((await ask(`DELETE ${ME}?alf_ticket=${fromScript}`)).status, 204);
  assert.equal((await ask(`GET ${scriptPath(fromScript)}`)).status, 401);
});

test('logins and logouts by v1 stand in the events, and a ticket in no log line', async (t) => {
  const { service, ask, ticketOf } = await asked(t);
  const ticket = await ticketOf();
  await ask(`GET ${TICKETS}/${ticket}`, { headers: basic(ticket) });
  await ask(`DELETE ${ME}`, { headers: basic(ticket) });
  const events = await service.store.read((unit) => unit.events.list({}));
  const told = events.map(({ kind, user }) => `${kind} ${user}`);
  for (const event of ['login admin', 'logout admin']) assert.ok(told.includes(event), event);
  assert.ok(!service.lines.some((line) => line.includes(ticket)));
});
