import { test } from 'node:test';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { NOBODY_WAITS, play, type Scenario, WRONG } from './scenario.ts';

const JSON_TYPE = 'application/json;charset=UTF-8';
const TICKET = /^\{\n\t"data":\n\t\{\n\t\t"ticket":"TICKET_[0-9a-f]{40}"\n\t\}\n\}$/;
const UNREADABLE = /^Unable to parse JSON POST body: ./;

const ask = 'POST /api/login';
const right = { username: 'admin', password: PASSWORD };
const jörg = { username: 'jörg', password: 'größer als früher' };
const LATIN = { 'content-type': 'text/plain; charset=ISO-8859-1' };
const latin1 = (body: object) => Buffer.from(JSON.stringify(body), 'latin1');

const accepted = (name: string, body: unknown, headers = {}): Scenario => {
  return { name, ask, headers, body: text(body), status: 200, type: JSON_TYPE, whole: TICKET };
};
const refused = (name: string, body: unknown, message: string | RegExp = 'Login failed', status = 403) => {
  return { name, ask, body: text(body), status, type: JSON_TYPE, message };
};
const A_FORM = 'Unable to parse JSON POST body: it is a form: send a JSON object';
const unreadable = (name: string, body: string | Buffer) => refused(name, body, UNREADABLE, 400);
const text = (body: unknown) =>
  typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);

test('a login by POST', async (t) => {
  const service = await startTestService(t, NOBODY_WAITS);
  const { url } = service;
  await service.addUser('guest', { password: undefined });
  await service.addUser('zoë', { password: 'pässwörter ☃' });
  await service.addUser('jörg', { password: jörg.password });

  await play(t, url, [
    accepted('gives a ticket in json', right),
    accepted('ignores other members', { ...right, remember: true, list: [1, { a: null }] }),
    accepted(
      'takes its members in any order, with white space',
      `{\n "password" : "${PASSWORD}",\t"username":"admin" }\r\n`,
    ),
    accepted('reads escapes', `{"\\u0075sername":"\\u0061dmin","password":"${PASSWORD}"}`),
    accepted('compares names without case', { ...right, username: 'AdMin' }),
    accepted('reads the body as UTF-8', { username: 'ZOË', password: 'pässwörter ☃' }),
    accepted('reads as ISO-8859-1 what says so and is no UTF-8', latin1(jörg), LATIN),
    accepted('reads as UTF-8 what is UTF-8, though it says ISO-8859-1', jörg, LATIN),
    unreadable('does not guess at what says nothing', latin1(jörg)),
    accepted('composes name and password', {
      username: 'zoe\u0308',
      password: 'pässwörter ☃'.normalize('NFD'),
    }),
    accepted(
      'takes a member twice with the same value',
      `{"username":"admin",${JSON.stringify(right).slice(1)}`,
    ),
    accepted('looks at no credentials', right, { authorization: 'Bearer TICKET_dead' }),
    accepted('of a user without a password needs none', { username: 'guest' }),
    accepted('of a user without a password takes an empty one', { username: 'guest', password: '' }),
    accepted('of a user without a password takes any', { username: 'guest', password: 'whatever' }),
    {
      name: 'takes user name and password from the body alone',
      ask: `POST /api/login?u=admin&pw=${PASSWORD}`,
      body: '{}',
      status: 400,
      message: 'Username not specified',
    },
    refused('refuses a wrong password with 403', { ...right, password: WRONG }),
    refused('refuses an empty password with 403', { ...right, password: '' }),
    refused('refuses an unknown name in the same way', { ...right, username: 'nobody-here' }),
    refused('refuses a name with a NUL byte like an unknown one', { ...right, username: 'admin\0' }),
    refused('refuses a name with half a surrogate like an unknown one', {
      ...right,
      username: '\ud800admin',
    }),
    refused('refuses an overlong name like an unknown one', { ...right, username: 'n'.repeat(30_000) }),
    refused('refuses a password of 1,024 bytes as a wrong one', { ...right, password: 'é'.repeat(512) }),
    refused(
      'refuses a longer password with 400',
      { ...right, password: `${'é'.repeat(512)}x` },
      'Password longer than 1024 bytes',
      400,
    ),
    refused('asks for a user name', { password: PASSWORD }, 'Username not specified', 400),
    refused('asks for a user name if it is empty', { ...right, username: '' }, 'Username not specified', 400),
    refused('asks for a user name in an empty object', {}, 'Username not specified', 400),
    refused(
      'does not take a name under another key',
      { userName: 'admin', password: PASSWORD },
      'Username not specified',
      400,
    ),
    refused(
      'does not take members of a prototype',
      `{"__proto__":${JSON.stringify(right)}}`,
      'Username not specified',
      400,
    ),
    refused('asks for a password', { username: 'admin' }, 'Password not specified', 400),
    refused(
      'asks for a password for an unknown name too',
      { username: 'nobody-here' },
      'Password not specified',
      400,
    ),
  ]);
});

test('a login by POST whose body is no JSON object', async (t) => {
  const { url } = await startTestService(t, NOBODY_WAITS);
  const wrongType = (name: string, body: unknown) => unreadable(name, JSON.stringify(body));
  const before = JSON.stringify(right).slice(0, -1);

  await play(t, url, [
    unreadable('is answered 400 when it is empty', ''),
    unreadable('is answered 400 when it is white space', ' \n'),
    refused('is told to be a form, urlencoded', `username=admin&password=${PASSWORD}`, A_FORM, 400),
    refused(
      'is refused as a form in parts',
      `--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n${PASSWORD}\r\n--x--\r\n`,
      A_FORM,
      400,
    ),
    unreadable('is answered 400 when it ends early', before),
    unreadable('is answered 400 when more follows', `${before}}{}`),
    unreadable('is answered 400 with a comma too many', `${before},}`),
    unreadable('is answered 400 with a comment', `${before}/* */}`),
    unreadable('is answered 400 with single quotes', `{'username':'admin','password':'${PASSWORD}'}`),
    unreadable(
      'is answered 400 with a control character in a string',
      `{"username":"admin","password":"${PASSWORD}\n"}`,
    ),
    unreadable('is answered 400 with white space that JSON has not', `\u{a0}${before}}`),
    unreadable('is answered 400 when it is not UTF-8', Buffer.from(`${before},"x":"\xe9"}`, 'latin1')),
    unreadable('is answered 400 when it is UTF-16', Buffer.from(`${before}}`, 'utf16le')),
    unreadable('is answered 400 when a member comes twice with two values', `${before},"username":"guest"}`),
    unreadable('is answered 400 when a password comes twice', `${before},"password":"${WRONG}"}`),
    wrongType('is answered 400 when it is an array', [right]),
    wrongType('is answered 400 when it is a string', 'admin'),
    wrongType('is answered 400 when it is null', null),
    wrongType('is answered 400 when it is true', true),
    wrongType('is answered 400 when it is a number', 5),
    wrongType('is answered 400 when the name is a number', { ...right, username: 5 }),
    wrongType('is answered 400 when the name is null', { ...right, username: null }),
    wrongType('is answered 400 when the name is an array', { ...right, username: ['admin'] }),
    wrongType('is answered 400 when the name is an object', { ...right, username: { $ne: '' } }),
    wrongType('is answered 400 when the password is a number', { ...right, password: 12345678 }),
    wrongType('is answered 400 when the password is null', { ...right, password: null }),
    unreadable('is answered 400 when it is nested beyond reason', '['.repeat(60_000)),
    unreadable(
      'is answered 400 when a member is nested too deeply',
      `${before},"x":${'{"a":'.repeat(12_000)}`,
    ),
  ]);
});
