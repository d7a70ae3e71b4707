import assert from 'node:assert/strict';
import { test } from 'node:test';
import { valuesIn } from '../../operations/values.ts';
import { startTestService } from '../../service/start.ts';
import { basic, logIn } from '../../service/talk.ts';
import { exchange, NOBODY_WAITS, play, type Scenario } from './scenario.ts';

const PAYLOADS = [
  `' OR '1'='1' --`,
  `'; DROP TABLE users; --`,
  `" UNION SELECT password FROM users --`,
  '%_*?[a-z]',
  '<script>alert(1)</script>',
  '</message><ticket>x</ticket>',
  '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>&e;',
  ']]>&lt;&amp;&#39;',
  '{"$gt":""}',
  `\${7*7}{{7*7}}`,
  '../../../../etc/passwd',
  'admin\0',
  'admin\r\nSet-Cookie: a=b',
  '\u202eadmin',
  `\\"';--\\`,
];

const FORMATS = ['json', 'xml', 'html'] as const;

/** A request for each field that takes text, with `payload` in it. */
function requestsWith(payload: string, ticket: string): Omit<Scenario, 'name'>[] {
  const escaped = encodeURIComponent(payload);
  const own = `/api/login/ticket/${ticket}`;
  const post = (member: object) => ({
    ask: 'POST /api/login.xml',
    body: JSON.stringify({ username: 'admin', password: payload, ...member }),
  });
  return [
    { ask: `GET /api/login?u=${escaped}&pw=x`, status: 403 },
    { ask: `GET /api/login.json?u=admin&pw=${escaped}`, status: 403 },
    { ...post({}), status: 403 },
    { ...post({ username: payload }), status: 403 },
    { ...post({ username: [payload] }), status: 400 },
    { ask: 'POST /api/login', body: payload, status: 400 },
    { ask: `GET /api/login/ticket/${escaped}.xml?alf_ticket=${ticket}`, status: 404 },
    { ask: `DELETE /api/login/ticket/${escaped}.html?alf_ticket=${ticket}`, status: 404 },
    { ask: `GET ${own}.json?alf_ticket=${escaped}`, status: 401 },
    { ask: `GET ${own}`, headers: basic(payload), status: 401 },
    { ask: `GET ${own}`, headers: basic(`${payload}:x`), status: 401 },
    { ask: `GET ${own}`, headers: basic(`admin:${payload}`), status: 401 },
    { ask: `GET ${own}`, headers: basic(`ROLE_TICKET:${payload}`), status: 401 },
    { ask: `GET ${own}`, headers: { authorization: `Bearer ${escaped}` }, status: 401 },
    { ask: `GET /api/login?u=admin&format=${escaped}`, status: 406 },
    { ask: `GET /api/login.x${escaped.replaceAll('.', '')}?u=admin`, status: 406 },
    { ask: `GET /${escaped}`, headers: { accept: 'text/html' }, status: 404 },
    { ask: `POST /api/login?alf_method=${escaped}`, status: 405 },
    { ask: `GET /api/login?u=admin&pw=1&pw=${escaped}`, status: 400 },
  ];
}

test('metacharacters of SQL, XML, HTML, JSON and HTTP', async (t) => {
  const service = await startTestService(t, NOBODY_WAITS);
  const { url, store, addUser } = service;
  const ticket = await logIn(url);

  for (const payload of PAYLOADS) {
    await t.test(
      `${JSON.stringify(payload)} does nothing in any field, and no answer repeats it`,
      async () => {
        for (const { ask, status, ...sent } of requestsWith(payload, ticket)) {
          const heard = await exchange(url, ask, sent);
          assert.equal(heard.status, status, ask);
          const type = heard.headers['content-type'] ?? '';
          const format = FORMATS.find((name) => type.includes(name)) ?? assert.fail(type);
          const everything = [
            JSON.stringify(heard.headers),
            heard.text,
            ...(valuesIn(heard.text, format) ?? []),
          ];
          assert.ok(!everything.join('\n').includes(payload), `${ask} repeats it`);
          assert.ok(
            !/alert|DROP|root:|49|a=b/.test(heard.text.replace(/<time>.*|"time":.*|<dt>Time.*/s, '')),
            heard.text,
          );
        }
      },
    );
  }

  const [name, password] = [`O'Neil <&"> -- %_`, `';--<&>"%00\\ü`];
  await addUser(name, { password });
  await addUser(`O'Neil <&"> -- %x`, { password: 'another-password' });
  await play(t, url, [
    {
      name: 'may stand in a name and a password',
      ask: 'POST /api/login.xml',
      body: JSON.stringify({ username: name, password }),
      status: 200,
    },
    {
      name: 'may stand in Basic',
      ask: `GET /api/login/ticket/x`,
      headers: basic(`${name}:${password}`),
      status: 404,
    },
    {
      name: 'are no wildcard for another name',
      ask: 'POST /api/login',
      body: JSON.stringify({ username: name, password: 'another-password' }),
      status: 403,
    },
    {
      name: 'have left the ticket alive',
      ask: `GET /api/login/ticket/${ticket}?alf_ticket=${ticket}`,
      status: 200,
    },
  ]);

  await t.test('have made and removed no user', async () => {
    const users = await store.read((unit) => unit.users.list());
    assert.deepEqual(users.map((user) => user.name).sort(), ['admin', name, `O'Neil <&"> -- %x`].sort());
  });
});
