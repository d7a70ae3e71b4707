import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { newUser } from '../../../src/core/domain/user.ts';
import { startTestService } from '../../service/start.ts';
import { until } from '../../service/until.ts';
import { Visitor } from './browse.ts';

const USERS = 2_500;
const PASSWORDLESS = { namesCaseSensitive: false, passwordHash: undefined };

test('every list of the console can be downloaded as CSV and as JSON, to its end', async (t) => {
  const service = await startTestService(t);
  await service.store.write(async ({ users }) => {
    for (let n = 0; n < USERS; n += 1) await users.add(newUser(`user${n}`, PASSWORDLESS));
  });
  const visitor = new Visitor(service);
  await visitor.signIn('admin');
  const csv = await visitor.get('/portal/console/downloads/users');
  assert.equal(csv.headers.get('content-type'), 'text/csv;charset=UTF-8');
  assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="users.csv"');
  const lines = (await csv.text()).split('\r\n');
  assert.match(lines[0] as string, /^"userName","displayName","state",.*"profile\.firstName"/);
  assert.equal(
    lines.length,
    USERS + 3,
    'a header, the users and the administrator, and the end of the last line',
  );
  const json = (await (await visitor.get('/portal/console/downloads/users?format=json')).json()) as {
    userName: string;
  }[];
  assert.equal(json.length, USERS + 1);
  assert.equal(new Set(json.map(({ userName }) => userName)).size, USERS + 1);
  const lists = ['groups', 'tickets', 'events', 'lock-outs', 'clients', 'api-keys', 'users/admin/tickets'];
  for (const list of lists) {
    const file = await visitor.get(`/portal/console/downloads/${list}?format=json`);
    assert.equal(file.status, 200, list);
    assert.ok(Array.isArray(await file.json()), list);
  }
});

test('a download keeps the filters of its list', async (t) => {
  const service = await startTestService(t);
  for (const name of ['anna', 'annette', 'bert']) await service.addUser(name);
  const visitor = new Visitor(service);
  await visitor.signIn('admin');
  const text = await (await visitor.get('/portal/console/downloads/users?prefix=ann')).text();
  assert.deepEqual(
    text
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0]),
    ['"anna"', '"annette"'],
  );
  assert.equal((await visitor.get('/portal/console/downloads/users?search=a')).status, 400);
});

test('a spreadsheet reads no cell as a formula, and a cell with a quote or a line break stays one cell', async (t) => {
  const service = await startTestService(t);
  await service.store.write(async (unit) => {
    await unit.users.add(newUser('anna', PASSWORDLESS));
    const user = await unit.users.findByKey('anna');
    await unit.profiles.put(user?.id ?? 0, { firstName: '=HYPERLINK("x")', lastName: ' @sum, "1"' });
  });
  const visitor = new Visitor(service);
  await visitor.signIn('admin');
  const text = await (await visitor.get('/portal/console/downloads/users?prefix=anna')).text();
  assert.ok(text.includes(`,"'=HYPERLINK(""x"")",`), text);
  assert.ok(text.includes(`"' @sum, ""1"""`), text);
});

test('a spreadsheet that separates cells at other signs, or knows full-width signs, finds no formula either', async (t) => {
  const names = {
    anna1: 'a;=1+1',
    anna2: 'a\t+1',
    anna3: '\uff1d1',
    anna4: '\u00a0\uff0d1',
    anna5: 'a; \uff20sum',
    anna6: 'a"=1',
    anna7: 'a-b; c=d',
  };
  const service = await startTestService(t);
  await service.store.write(async (unit) => {
    for (const [name, firstName] of Object.entries(names)) {
      await unit.users.add(newUser(name, PASSWORDLESS));
      const user = await unit.users.findByKey(name);
      await unit.profiles.put(user?.id ?? 0, { firstName });
    }
  });
  const visitor = new Visitor(service);
  await visitor.signIn('admin');
  const text = await (await visitor.get('/portal/console/downloads/users?prefix=anna')).text();
  for (const cell of [
    `"a;'=1+1"`,
    `"a\t'+1"`,
    `"'\uff1d1"`,
    `"'\u00a0\uff0d1"`,
    `"a;' \uff20sum"`,
    `"a""'=1"`,
    `"a-b; c=d"`,
  ])
    assert.ok(text.includes(`,${cell},`), `${cell} in ${text}`);
  for (const line of text.trim().split('\r\n')) assert.match(line, /^(?:"(?:[^"]|"")*"(?:,|$))+$/);
});

test('a download needs the role of its list', async (t) => {
  const service = await startTestService(t);
  await service.addUser('mia');
  const visitor = new Visitor(service);
  assert.equal((await visitor.get('/portal/console/downloads/users')).status, 303);
  await visitor.signIn('mia');
  assert.equal((await visitor.get('/portal/console/downloads/users')).status, 403);
});

const MANY = 60_000;
/** The line of a download in the log, which is written when it begins. */
const LOGGED = 'console/events/download';

/** A service with more events than a connection holds unread, a browser that is signed in, and what begins a download there. */
async function startLong(t: TestContext) {
  const service = await startTestService(t);
  const began = Date.now();
  await service.store.write(async (unit) => {
    for (let n = 0; n < MANY; n += 1)
      await unit.events.append({ at: began + n, kind: 'expiry', user: 'mia', reason: 'x'.repeat(200) });
  });
  const visitor = new Visitor(service);
  await visitor.signIn('admin');
  const begun = () => service.lines.filter((line) => line.includes(LOGGED)).length;
  const begin = async () => {
    const before = begun();
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1').pause();
    t.after(() => socket.destroy());
    socket
      .on('error', () => undefined)
      .write(
        `GET /portal/console/downloads/events HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: tessera=${visitor.cookies.get('tessera')}\r\n\r\n`,
      );
    await until('the download begins', () => begun() > before);
    return socket;
  };
  return { visitor, begin };
}

test('a caller has three downloads at a time, so that others get some as well', async (t) => {
  const { visitor, begin } = await startLong(t);
  const open = [await begin(), await begin(), await begin()];
  const refused = await visitor.get('/portal/console/downloads/events');
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get('retry-after'), '10');
  open[0]?.destroy();
  await until('there is room again', async () => {
    const next = await visitor.get('/portal/console/downloads/clients');
    await next.body?.cancel();
    return next.status === 200;
  });
});

test('a download waits for its reader, and breaks off when the ticket ends', async (t) => {
  const { visitor, begin } = await startLong(t);
  const formToken = await visitor.formToken();
  const socket = await begin();
  await visitor.post('/portal/logout', { formToken });
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
  });
  socket.resume();
  await once(socket, 'close');
  assert.match(text, /^HTTP\/1\.1 200/);
  assert.ok(!text.endsWith('0\r\n\r\n'), 'the download does not end as if it were whole');
  assert.ok(text.length < 12_000_000, `${text.length}`);
});
