import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redact } from '../../../src/core/domain/redaction.ts';
import { REFUSALS } from '../../../src/core/domain/refusal.ts';
import { faultOfNewName } from '../../../src/core/domain/user.ts';

const TICKET = 'TICKET_5ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2';
const BASE64 = 'YWRtaW46czNjcjN0LXBhc3M=';
/** Parts of secrets that must not be left. */
const SECRET = /5ec2e7|YWRtaW46|s3cr3t|hunter2|20260731/;

/** Three parts, as of a JWT. The payload holds a part of a secret. */
const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJ5ec2e7.5ec2e7-_';

const json = (value: unknown) => JSON.stringify(value);

const PLAIN: readonly string[] = [
  `ended ${TICKET} KEPT`,
  `<ticket>${TICKET}</ticket>`,
  `(${TICKET}) KEPT`,
  `"${TICKET}",'${TICKET}';${TICKET}`,
  'TICKET_hunter2 is malformed KEPT',
  'pw=hunter2 KEPT',
  'password=s3cr3t KEPT',
  'password: s3cr3t KEPT',
  "{ username: 'ann', password: 's3cr3t', KEPT: 1 }",
  `ROLE_TICKET:${TICKET}`,
  'the secret SECRET_5ec2e75ec2e75ec2e75ec2e75ec2e75ec2e7 KEPT',
  'the app password tap_5ec2e75ec2e75ec2e75ec2e75ec2e75e KEPT',
  'the key tsk_5ec2e7-_5ec2e75ec2e75ec2e75ec2e75ec2e75ec2e7 KEPT',
  `the token ${JWT} KEPT`,
  'access_token=s3cr3t&id_token=s3cr3t&refresh_token=s3cr3t&KEPT=1',
  'token=s3cr3t&token_type_hint=KEPT',
  'token=x&client_secret=hunter2 KEPT',
  'oldpw=hunter2&newpw=hunter2 KEPT',
  'oldpw: hunter2, newpw: hunter2, KEPT',
];

const URLS: readonly string[] = [
  '/api/login?u=hunter2&pw=s3cr3t KEPT',
  '/api/login?pw=s3cr3t&u=hunter2&format=KEPT',
  "/api/login?pw=it's-s3cr3t&format=KEPT",
  '/api/login?pw=a(s3cr3t)!*~;s3cr3t,s3cr3t&format=KEPT',
  '/api/login?pw=%22s3cr3t%22&format=KEPT',
  '/api/login?x=1&alf_ticket=hunter2&format=KEPT',
  '/api/login?ticket=hunter2&password=s3cr3t',
  `http://KEPT/api/login/ticket/${TICKET}.json?alf_ticket=${TICKET}`,
  `/api/login/ticket/x?alf_ticket=ROLE_TICKET%3A${TICKET}&format=KEPT`,
  `/api/login/ticket/ROLE_TICKET%3A${TICKET}`,
  'pw=s3cr3t&u=hunter2',
  'u=hunter2&pw=s3cr3t',
];

const HEADERS: readonly string[] = [
  `Authorization: Basic ${BASE64}`,
  `authorization: basic ${BASE64} KEPT`,
  `AUTHORIZATION:Basic ${BASE64}`,
  'authorization: Bearer s3cr3t-token KEPT',
  'Authorization: hunter2',
  'Proxy-Authorization: Basic YWRtaW46',
  `curl -H 'Authorization: Basic ${BASE64}' KEPT`,
  `the header Basic ${BASE64} was KEPT`,
  `Authorization: Bearer ${TICKET}`,
];

/** A line is still JSON afterwards, whatever it holds. */
const JSON_LINES: readonly string[] = [
  json({ username: 'ann', password: 's3cr3t', KEPT: 1 }),
  '{"password" : "s3cr3t" , "KEPT":1}',
  json({ password: 'a"s3cr3t', KEPT: 1 }),
  json({ password: 's3cr3t\\', KEPT: '"' }),
  json({ password: '\\"s3cr3t\\\\"\n\t\u2028 s3cr3t', KEPT: 1 }),
  json({ password: 's3cr3t with spaces, commas; and {braces}', KEPT: 1 }),
  json({ password: 20260731, KEPT: 1 }),
  json({ u: 'hunter2', pw: 's3cr3t', alf_ticket: 'hunter2', ticket: 'hunter2', KEPT: 1 }),
  json({ query: { u: ['hunter2', 'hunter2'], pw: ['s3cr3t', 'a"]s3cr3t'] }, KEPT: 1 }),
  json({ data: { ticket: TICKET }, KEPT: 1 }),
  json({ token: 's3cr3t', client_secret: 'hunter2', KEPT: 1 }),
  json({ access_token: 's3cr3t', id_token: 's3cr3t', refresh_token: 's3cr3t', KEPT: 1 }),
  json({ any: JWT, KEPT: 1 }),
  json({ oldpw: 'hunter2', newpw: 'hunter2', KEPT: 1 }),
  json({ headers: { authorization: `Basic ${BASE64}`, KEPT: 1 } }),
  json({ headers: { Authorization: 'hunter2', KEPT: 1 } }),
  json({ rawHeaders: ['Authorization', `Basic ${BASE64}`, 'KEPT'] }),
  json({ url: '/api/login?u=hunter2&pw=s3cr3t', KEPT: 1 }),
  json({ url: '/api/login?pw=a"s3cr3t\\s3cr3t', KEPT: 1 }),
  json({ msg: `ended ${TICKET}\n${TICKET}\t${TICKET}`, KEPT: 1 }),
];

const NESTED: readonly string[] = [
  json({ msg: json({ password: 's3cr3t', KEPT: 1 }) }),
  json({ msg: json({ password: 'a"s3cr3t', KEPT: 1 }) }),
  json({ msg: json({ password: 's3cr3t\\', KEPT: '"' }) }),
  json({ msg: json({ password: '\\"s3cr3t\\\\"\n s3cr3t', KEPT: 1 }) }),
  json({ msg: json({ password: 20260731, KEPT: 1 }) }),
  json({ msg: json({ headers: { authorization: `Basic ${BASE64}` }, KEPT: 1 }) }),
  json({ msg: json({ data: { ticket: TICKET }, KEPT: 1 }) }),
  json({ msg: json({ url: '/api/login?u=hunter2&pw=s3cr3t' }), KEPT: 1 }),
  json({ KEPT: 1, err: { message: `bad body {"username":"ann","password":"a\\"s3cr3t"}` } }),
  json({ KEPT: 1, err: { message: '{"password":"never ended s3cr3t' } }),
];

const SHAPES = { plain: PLAIN, URL: URLS, header: HEADERS, JSON: JSON_LINES, 'JSON in JSON': NESTED };

for (const [shape, lines] of Object.entries(SHAPES)) {
  test(`a secret of the shape ${shape} is masked, and the rest of its line kept`, () => {
    for (const line of lines) {
      assert.match(line, SECRET, 'the line holds a secret');
      const redacted = redact(line);
      assert.doesNotMatch(redacted, SECRET, line);
      if (line.includes('KEPT')) assert.match(redacted, /KEPT/, line);
      if (shape.startsWith('JSON')) assert.doesNotThrow(() => JSON.parse(redacted), line);
    }
  });
}

test('many secrets in one line are all masked', () => {
  const all = Object.values(SHAPES).flat();
  assert.doesNotMatch(redact(all.join(' ')), SECRET);
});

test('no sentence of a refusal is taken for a secret', () => {
  for (const sentence of [...Object.values(REFUSALS), faultOfNewName('a:b') ?? ''])
    assert.equal(redact(sentence), sentence);
});

test('other texts are left as they are', () => {
  for (const line of [
    '',
    json({ level: 30, user: 'ann', digest: '00c0ffee', reason: 'wrong-password', ms: 1.2 }),
    json({ user: 'hu\u2026 (17 characters)', outcome: 'password_missing' }),
    json({ operation: 'org/service/repository/loginticket.get', menu: 'u', cpu: 5 }),
    'cpu=5 menu=6 &lt; a ticket, a password and a user',
    'tickets=7 passwords=8 (a password has 8 characters)',
    '/api/server?format=json&setup=1',
    'CLIENT_SECRET_FILE=/run/secrets/gateway: Unexpected token } in JSON',
  ])
    assert.equal(redact(line), line);
});
