import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';
import { exchange, NOBODY_WAITS, type Sent, WRONG } from './scenario.ts';

const XML = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<ticket>TICKET_[0-9a-f]{40}<\/ticket>\n$/;
const JSON_TICKET = /^\{\n\t"data":\n\t\{\n\t\t"ticket":"TICKET_[0-9a-f]{40}"\n\t\}\n\}/;
const URLENCODED = 'application/x-www-form-urlencoded';
const BOUNDARY = 'a-boundary';

type Fields = Readonly<Record<string, string>>;

const urlencoded = (fields: Fields, type = URLENCODED): Sent => ({
  body: new URLSearchParams(fields).toString(),
  headers: { 'content-type': type },
});
const part = (head: string, value: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
const multipart = (fields: Fields, more = ''): Sent => ({
  body: `${Object.entries(fields)
    .map(([name, value]) => part(`name="${name}"`, value))
    .join('')}${more}--${BOUNDARY}--\r\n`,
  headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
});
const ADMIN = { u: 'admin', pw: PASSWORD };
const FORMS = { urlencoded, multipart };

for (const [kind, form] of Object.entries(FORMS)) {
  test(`a form (${kind}) logs in, validates and logs out by POST`, async (t) => {
    const { url } = await startTestService(t, NOBODY_WAITS);
    const post = (path: string, fields: Fields) => exchange(url, `POST ${path}`, form(fields));
    assert.match((await post('/api/login', ADMIN)).text, JSON_TICKET);
    assert.match((await post('/api/login', { ...ADMIN, format: 'xml' })).text, XML);
    assert.match((await post('/api/login', { ...ADMIN, alf_method: 'GET' })).text, XML);
    assert.match(
      (await post('/api/login', { ...ADMIN, alf_method: 'get', format: 'json' })).text,
      JSON_TICKET,
    );
    const ticket = await logIn(url);
    const path = `/api/login/ticket/${ticket}`;
    assert.match((await post(path, { alf_method: 'GET', alf_ticket: ticket })).text, XML);
    const list = await post('/api/rules/actiondefs', { alf_method: 'GET', alf_ticket: ticket });
    assert.equal(list.status, 200);
    assert.equal((await post(path, { alf_method: 'DELETE', alf_ticket: ticket })).status, 200);
    assert.equal((await post(path, { alf_method: 'GET', alf_ticket: ticket })).status, 401);
  });

  test(`a form (${kind}) in the body of a GET is read, but names no method`, async (t) => {
    const { url } = await startTestService(t, NOBODY_WAITS);
    const ticket = await logIn(url);
    assert.match((await exchange(url, 'GET /api/login', form(ADMIN))).text, XML);
    const path = `/api/login/ticket/${ticket}`;
    const asked = form({ alf_ticket: ticket, alf_method: 'DELETE', format: 'json' });
    assert.match((await exchange(url, `GET ${path}`, asked)).text, JSON_TICKET);
    assert.equal(
      (await exchange(url, `GET ${path}`, form({ alf_ticket: ticket }))).status,
      200,
      'it lives on',
    );
    assert.equal((await exchange(url, `DELETE ${path}`, form({ alf_ticket: ticket }))).status, 401);
  });

  test(`a form (${kind}) and a URL that contradict each other are 400; the same value in both is accepted`, async (t) => {
    const { url } = await startTestService(t, NOBODY_WAITS);
    for (const [line, fields, status] of [
      ['POST /api/login?u=other', ADMIN, 400],
      ['POST /api/login?u=admin', ADMIN, 200],
      ['POST /api/login?pw=other&alf_method=GET', ADMIN, 400],
      ['POST /api/login?format=xml', { ...ADMIN, format: 'json' }, 400],
      ['POST /api/login?alf_method=GET', { ...ADMIN, alf_method: 'POST' }, 400],
      ['POST /api/login?alf_method=GET', { ...ADMIN, alf_method: 'GET' }, 200],
      ['GET /api/login?u=other', ADMIN, 400],
    ] as const)
      assert.equal((await exchange(url, line, form(fields))).status, status, line);
  });

  test(`a login by a form (${kind}) is refused as any other is`, async (t) => {
    const { url } = await startTestService(t, NOBODY_WAITS);
    const answered = async (fields: Fields, headers = {}) => {
      const sent = form(fields);
      const heard = await exchange(url, 'POST /api/login', {
        ...sent,
        headers: { ...sent.headers, ...headers },
      });
      return `${heard.status} ${JSON.parse(heard.text).message}`;
    };
    const refused = '403 Login failed';
    assert.equal(await answered({ u: 'admin', pw: WRONG }), refused);
    assert.equal(await answered({ u: 'nobody', pw: PASSWORD }), refused);
    assert.equal(await answered({ u: 'admin', pw: '' }), refused);
    assert.equal(await answered({ u: 'admin' }), '400 Password not specified');
    assert.equal(await answered({ pw: PASSWORD }), '400 Username not specified');
    assert.equal(await answered({ u: '', pw: PASSWORD }), '400 Username not specified');
    const foreign = '403 Cross-site login refused';
    assert.equal(await answered(ADMIN, { 'sec-fetch-site': 'cross-site' }), foreign);
    assert.equal(await answered(ADMIN, { origin: 'https://elsewhere.example' }), foreign);
    assert.equal(
      await answered({ ...ADMIN, alf_method: 'GET', format: 'json' }, { origin: 'null' }),
      foreign,
    );
  });

  test(`a form (${kind}) logs in even if logins by GET are off, unless the URL holds a part of it`, async (t) => {
    const { url } = await startTestService(t, { ...NOBODY_WAITS, TESSERA_LOGIN_GET: 'false' });
    const fields = { ...ADMIN, alf_method: 'GET' };
    assert.equal((await exchange(url, 'POST /api/login', form(fields))).status, 200);
    assert.equal((await exchange(url, `POST /api/login?pw=${PASSWORD}`, form(fields))).status, 403);
    assert.equal((await exchange(url, 'POST /api/login?u=admin', form(fields))).status, 403);
    assert.equal((await exchange(url, 'GET /api/login', form(ADMIN))).status, 403);
  });

  test(`no log line repeats what a form (${kind}) holds`, async (t) => {
    const service = await startTestService(t, NOBODY_WAITS);
    const pw = 'never-told-anywhere';
    for (const line of ['POST /api/login', 'POST /api/login?alf_method=GET', 'GET /api/login'])
      assert.equal((await exchange(service.url, line, form({ u: 'admin', pw }))).status, 403, line);
    const ticket = await logIn(service.url);
    await exchange(service.url, 'GET /api/login/ticket/x', form({ alf_ticket: ticket }));
    const told = service.lines.join('\n');
    assert.ok(told.includes('login'), 'something is logged');
    assert.ok(!told.includes(pw) && !told.includes(ticket));
  });
}

test('JSON is read as JSON even if its type says that it is a form', async (t) => {
  const { url } = await startTestService(t, NOBODY_WAITS);
  const json = JSON.stringify({ username: 'admin', password: PASSWORD });
  for (const type of [
    URLENCODED,
    `${URLENCODED}; charset=UTF-8`,
    `multipart/form-data; boundary=${BOUNDARY}`,
  ]) {
    for (const body of [json, `  \r\n${json}`]) {
      const { status } = await exchange(url, 'POST /api/login', { body, headers: { 'content-type': type } });
      assert.equal(status, 200, type);
    }
  }
});

test('a form without the arguments of a login, or under another type, is no JSON', async (t) => {
  const { url } = await startTestService(t, NOBODY_WAITS);
  const message = 'Unable to parse JSON POST body: it is a form: send a JSON object';
  for (const sent of [
    urlencoded({ username: 'admin', password: PASSWORD }),
    multipart({ username: 'admin', password: PASSWORD }),
    urlencoded(ADMIN, 'text/plain'),
  ]) {
    const { status, text } = await exchange(url, 'POST /api/login', sent);
    assert.equal(status, 400);
    assert.equal(JSON.parse(text).message, message);
  }
});

test('a form that cannot be read is 400, and nothing of it is repeated', async (t) => {
  const { url } = await startTestService(t, NOBODY_WAITS);
  const headers = { 'content-type': URLENCODED };
  const inParts = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  for (const [sent, message] of [
    [{ headers, body: 'u=admin&pw=%zz' }, /^Broken percent escape/],
    [{ headers, body: 'u=admin&pw=%ff' }, /^Broken percent escape/],
    [{ headers, body: Buffer.from('u=admin&pw=\xff', 'latin1') }, /: it is not UTF-8$/],
    [{ headers: inParts, body: part('name="u"', 'admin') }, /: its parts cannot be told apart$/],
    [{ headers: { 'content-type': 'multipart/form-data; x=y' }, body: 'u=admin' }, /told apart$/],
  ] as const) {
    const heard = await exchange(url, 'POST /api/login', sent);
    assert.equal(heard.status, 400);
    assert.match(JSON.parse(heard.text).message, message);
    assert.ok(!heard.text.includes('admin'));
  }
});

test('values of a form are read as in a URL, in ISO-8859-1 if its type says so, and files are ignored', async (t) => {
  const service = await startTestService(t, NOBODY_WAITS);
  const { url } = service;
  await service.addUser('jörg', { password: 'a+b c&d=größer' });
  const fields = { u: 'jörg', pw: 'a+b c&d=größer' };
  const latin = `${URLENCODED}; charset=ISO-8859-1`;
  const raw = 'u=jörg&pw=a%2Bb+c%26d=größer';
  const file = part('name="pw"; filename="pw.txt"', 'no password');
  for (const sent of [
    urlencoded(fields),
    multipart(fields),
    multipart(fields, file),
    { body: raw, headers: { 'content-type': `${URLENCODED};charset=UTF-8` } },
    { body: Buffer.from(raw, 'latin1'), headers: { 'content-type': latin } },
  ])
    assert.equal((await exchange(url, 'POST /api/login', sent)).status, 200, String(sent.body));
});

test('a form may be as long as any body, in a GET too', async (t) => {
  const { url } = await startTestService(t, { ...NOBODY_WAITS, TESSERA_BODY_LIMIT: '1024' });
  for (const method of ['GET', 'POST']) {
    for (const form of Object.values(FORMS)) {
      const short = await exchange(url, `${method} /api/login`, form({ ...ADMIN, x: 'x'.repeat(400) }));
      assert.equal(short.status, 200, method);
      const long = await exchange(url, `${method} /api/login`, form({ ...ADMIN, x: 'x'.repeat(1_024) }));
      assert.equal(long.status, 413, method);
    }
  }
});
