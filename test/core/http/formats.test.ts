import { test } from 'node:test';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';
import { play, type Scenario } from './scenario.ts';

const XML = 'text/xml;charset=UTF-8';
const JSON_TYPE = 'application/json;charset=UTF-8';
const HTML = 'text/html;charset=UTF-8';
const DATA_TICKET = /^\{\n\t"data":\n\t\{\n\t\t"ticket":"TICKET_[0-9a-f]{40}"\n\t\}\n\}\n$/;
const query = `u=admin&pw=${PASSWORD}`;
const login = (extension: string, more = '') => `GET /api/login${extension}?${query}${more}`;

test('the format of an answer', async (t) => {
  const { url } = await startTestService(t);
  const ticket = await logIn(url);
  const own = (extension: string, more = '') =>
    `GET /api/login/ticket/${ticket}${extension}?alf_ticket=${ticket}${more}`;
  const body = JSON.stringify({ username: 'admin', password: PASSWORD });
  const is = (name: string, ask: string, type: string, more: Partial<Scenario> = {}): Scenario => {
    return { name, ask, status: 200, type, ...more };
  };
  const notOffered = (
    name: string,
    ask: string,
    type: string,
    offered: string,
    lacks: string[] = [],
  ): Scenario => {
    return { name, ask, status: 406, type, message: `Format not offered: ask for ${offered}`, lacks };
  };

  // Whatever Accept says: the path names the format.
  const headers = { accept: 'text/html' };
  const unread = (name: string, extension: string, type: string): Scenario => {
    return {
      name,
      ask: login(extension, '&x=50%off'),
      headers,
      status: 400,
      type,
      message: /percent escape/,
    };
  };
  const tooLong = (name: string, extension: string, type: string): Scenario => {
    return { name, ask: login(extension, `&${'x'.repeat(12_300)}`), headers, status: 414, type };
  };

  await play(t, url, [
    is('is the default of the operation: xml', login(''), XML),
    is('is the default of the operation: json', 'POST /api/login', JSON_TYPE, { body }),
    is('is chosen by extension', login('.json'), JSON_TYPE, { whole: DATA_TICKET }),
    is('is chosen by extension against the default', 'POST /api/login.xml', XML, { body }),
    is('is chosen by argument', login('', '&format=json'), JSON_TYPE, { whole: DATA_TICKET }),
    is('is chosen by argument, in any place', `GET /api/login?format=json&${query}`, JSON_TYPE),
    is('is chosen by both when they agree', login('.json', '&format=json'), JSON_TYPE),
    is('is chosen by an extension with an escape in it', login('%2Ejs%6Fn'), JSON_TYPE),
    is('is the default when the argument is empty', login('', '&format='), XML),
    is('is that of the extension when the argument is empty', login('.json', '&format='), JSON_TYPE),
    is('is chosen by the argument that is not empty', login('', '&format=&format=json'), JSON_TYPE),
    is(
      'is chosen by the argument that is not empty, if the empty one comes last',
      login('', '&format=json&format='),
      JSON_TYPE,
    ),
    is('is chosen by an argument that comes twice alike', login('', '&format=json&format=json'), JSON_TYPE),
    is('is json for a ticket followed by .json', own('.json'), JSON_TYPE, {
      whole: `{\n\t"data":\n\t{\n\t\t"ticket":"${ticket}"\n\t}\n}\n`,
    }),
    is('is xml for a ticket with .xml behind it', own('.xml'), XML),
    is('is not negotiated by Accept', login(''), XML, { headers: { accept: 'application/json' } }),
    is('is not negotiated by an Accept for people', own('.json'), JSON_TYPE, {
      headers: { accept: 'text/html' },
    }),
    is('is no script, whatever alf_callback says', own('.json', '&alf_callback=run'), JSON_TYPE, {
      lacks: ['run'],
    }),
    is('is json on the server page', 'GET /api/server', JSON_TYPE, {
      whole: '{"data":{"edition":"Tessera","version":"3.2.0 (2039)","schema":"2039"}}',
    }),
    {
      name: 'is 400 when extension and argument differ',
      ask: login('.json', '&format=xml'),
      status: 400,
      type: XML,
      message: /extension.*format/,
    },
    {
      name: 'is 400 when the argument comes twice with two values',
      ask: login('', '&format=xml&format=json'),
      status: 400,
      type: XML,
      message: 'Argument given twice with different values: format',
    },
    notOffered('is 406 by an unknown extension, naming those offered', login('.toml'), XML, 'xml or json', [
      'toml',
    ]),
    notOffered('is 406 by an unknown argument', login('', '&format=atom'), XML, 'xml or json', ['atom']),
    notOffered('is 406 by a format that others offer', login('.html'), XML, 'xml or json'),
    notOffered(
      'is 406 before the caller is authenticated',
      `GET /api/login/ticket/${ticket}.toml`,
      XML,
      'xml or json',
    ),
    notOffered(
      'is 406 with html among those offered',
      `DELETE /api/login/ticket/${ticket}.toml`,
      XML,
      'xml or json or html',
    ),
    notOffered('is 406 naming the only one', 'GET /api/server.xml', JSON_TYPE, 'json', ['xml']),
    notOffered('is 406 in json where that is the default', 'POST /api/login.toml', JSON_TYPE, 'xml or json'),
    unread('is that of a refusal of the query too', '.json', JSON_TYPE),
    unread('is the default of the operation where its query cannot be read', '', XML),
    unread('is the default if the requested one is not offered and the query cannot be read', '.toml', XML),
    tooLong('is that of the refusal of a long URL too', '.json', JSON_TYPE),
    tooLong('is the default of the operation where the URL is too long', '', XML),
    { ...unread('is that of a refusal of the query of a POST', '', XML), ask: 'POST /api/login.xml?%zz' },
    {
      name: 'is chosen by Accept if query and path cannot be read',
      ask: 'GET /api/%zz/login.xml?%zz',
      headers: { accept: 'text/html' },
      status: 400,
      type: HTML,
    },
    { name: 'is no format when the name before the dot is unknown', ask: 'GET /api/logon.json', status: 404 },
    { name: 'is no format behind a bare dot', ask: login('.'), status: 404 },
    { name: 'is one extension only', ask: login('.xml.json'), status: 404 },
    { name: 'is that of a refusal too', ask: 'GET /api/login.json?u=admin', status: 400, type: JSON_TYPE },
    {
      name: 'is that of a refusal by argument too',
      ask: 'POST /api/login?format=xml',
      status: 400,
      type: XML,
    },
    {
      name: 'is that of a challenge too, html included',
      ask: `DELETE /api/login/ticket/${ticket}.html`,
      status: 401,
      type: HTML,
    },
  ]);
});
