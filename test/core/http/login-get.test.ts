import { test } from 'node:test';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';
import { NOBODY_WAITS, play, type Scenario, WRONG } from './scenario.ts';

const XML = 'text/xml;charset=UTF-8';
const TICKET = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<ticket>TICKET_[0-9a-f]{40}<\/ticket>\n$/;
const right = `u=admin&pw=${PASSWORD}`;

const accepted = (name: string, ask: string, headers = {}): Scenario => {
  return { name, ask, headers, status: 200, type: XML, whole: TICKET };
};
const refused = (name: string, query: string, message = 'Login failed', status = 403): Scenario => {
  return {
    name,
    ask: `GET /api/login${query}`,
    status,
    type: XML,
    message,
    answers: { 'retry-after': null },
  };
};
const missing = (name: string, query: string, what: string) =>
  refused(name, query, `${what} not specified`, 400);

test('a login by GET', async (t) => {
  const service = await startTestService(t, NOBODY_WAITS);
  const { url } = service;
  await service.addUser('Jürgen Müller');
  await service.addUser('guest', { password: undefined });
  await service.addUser('plus', { password: 'a+b c&d%e=f' });
  const live = await logIn(url);
  const other = await logIn(url, 'plus', 'a+b c&d%e=f');

  await play(t, url, [
    accepted('gives a ticket in xml, to the byte', `GET /api/login?${right}`),
    accepted('takes its arguments in any order', `GET /api/login?pw=${PASSWORD}&u=admin`),
    accepted('ignores unknown and empty arguments', `GET /api/login?x=1&&${right}&empty=&=`),
    accepted('takes an argument twice with the same value', `GET /api/login?u=admin&${right}`),
    accepted('compares names without case', `GET /api/login?u=ADMIN&pw=${PASSWORD}`),
    accepted('reads names as UTF-8', `GET /api/login?u=J%C3%BCrgen%20M%C3%BCller&pw=${PASSWORD}`),
    accepted('composes names', `GET /api/login?u=Ju%CC%88rgen+M%C3%9Cller&pw=${PASSWORD}`),
    accepted('reads a plus as a space', 'GET /api/login?u=plus&pw=a%2Bb+c%26d%25e%3Df'),
    accepted('takes an equals sign in a value as it is', 'GET /api/login?u=plus&pw=a%2Bb+c%26d%25e=f'),
    accepted('looks at no credentials', `GET /api/login?${right}&alf_ticket=TICKET_dead`, {
      authorization: 'Basic broken',
    }),
    accepted(
      'does not mind tickets of two users',
      `GET /api/login?${right}&alf_ticket=${live}&alf_ticket=${other}`,
    ),
    accepted('of a user without a password needs none', 'GET /api/login?u=guest'),
    accepted('of a user without a password takes an empty one', 'GET /api/login?u=guest&pw='),
    accepted('of a user without a password takes any', 'GET /api/login?u=guest&pw=whatever'),
    refused('refuses a wrong password with 403', `?u=admin&pw=${WRONG}`),
    refused('refuses an empty password with 403', '?u=admin&pw='),
    refused('compares passwords with case', `?u=admin&pw=${PASSWORD.toUpperCase()}`),
    refused('refuses an unknown name in the same way', `?u=nobody-here&pw=${PASSWORD}`),
    refused('refuses a name with control characters like an unknown one', `?u=ad%00min%07&pw=${PASSWORD}`),
    refused('refuses an overlong name like an unknown one', `?u=${'n'.repeat(257)}&pw=${PASSWORD}`),
    refused('refuses a password of 1,024 bytes as a wrong one', `?u=admin&pw=${'p'.repeat(1024)}`),
    refused(
      'refuses a longer password with 400, for any name',
      `?u=nobody-here&pw=${'p'.repeat(1025)}`,
      'Password longer than 1024 bytes',
      400,
    ),
    missing('asks for a user name', `?pw=${PASSWORD}`, 'Username'),
    missing('asks for a user name if it is empty', `?u=&pw=${PASSWORD}`, 'Username'),
    missing('asks for a user name where there is nothing', '', 'Username'),
    missing('asks for a user name behind a bare question mark', '?', 'Username'),
    missing('reads no list under another name', `?u[]=admin&pw=${PASSWORD}`, 'Username'),
    missing('asks for a password', '?u=admin', 'Password'),
    missing('asks for a password for an unknown name too', '?u=nobody-here', 'Password'),
    {
      name: 'answers 400 to two user names',
      ask: `GET /api/login?u=admin&u=guest&pw=${PASSWORD}`,
      status: 400,
      type: XML,
      message: 'Argument given twice with different values: u',
    },
    {
      name: 'answers 400 to two passwords',
      ask: `GET /api/login?${right}&pw=${WRONG}`,
      status: 400,
      message: /twice with different values: pw$/,
    },
    {
      name: 'answers 400 to two user names in the format that was chosen',
      ask: `GET /api/login.json?u=admin&u=guest&pw=${PASSWORD}`,
      status: 400,
      type: 'application/json;charset=UTF-8',
    },
  ]);
});

test('a login by GET that is switched off', async (t) => {
  const { url } = await startTestService(t, { TESSERA_LOGIN_GET: 'false' });
  await play(t, url, [
    {
      name: 'is refused with 403 and the name of the setting',
      ask: `GET /api/login?${right}`,
      status: 403,
      message: /TESSERA_LOGIN_GET/,
    },
    {
      name: 'is not had by an overridden POST either',
      ask: `POST /api/login?${right}&alf_method=GET`,
      status: 403,
      message: /TESSERA_LOGIN_GET/,
    },
    {
      name: 'leaves the login by POST as it is',
      ask: 'POST /api/login',
      body: JSON.stringify({ username: 'admin', password: PASSWORD }),
      status: 200,
    },
  ]);
});
