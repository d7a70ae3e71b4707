import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '../../../../src/main/operations.ts';
import { Departures, type Exchange } from './departure.ts';

const departures = new Departures(operations, ['/alfresco/service', '']);
const TICKET = `TICKET_${'0a'.repeat(20)}`;
const json = 'application/json;charset=UTF-8';
const xml = 'text/xml;charset=UTF-8';
const ID = { 'x-request-id': '0123abcd-1' };
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';

const login: Exchange = {
  method: 'POST',
  target: '/alfresco/service/api/login',
  status: 200,
  type: json,
  headers: ID,
  text: JSON.stringify({ data: { ticket: TICKET } }),
};
const status = (more: object = {}) => ({
  status: { code: 403, name: 'Forbidden', description: 'No.' },
  ...{ message: 'Login failed', exception: '', callstack: [], server: 'S' },
  time: '2026-01-31T08:00:00.000Z',
  ...more,
});
const list: Exchange = {
  method: 'GET',
  target: '/api/rules/actiondefs?format=xml',
  status: 200,
  type: xml,
  headers: { ...ID, etag: '"a"', 'content-type': xml, vary: 'Authorization, Accept-Language' },
  text: `${XML}<actionDefinitions/>\n`,
};
const definition = (inner: string) =>
  `${XML}<actionDefinitions><actionDefinition><name>a</name>${inner}<applicableTypes><applicableType>content</applicableType></applicableTypes><parameterDefinitions/><url>/a</url></actionDefinition></actionDefinitions>\n`;

const AS_DESCRIBED: Readonly<Record<string, Exchange>> = {
  'a ticket in json': login,
  'a ticket in xml': { ...login, type: xml, text: `${XML}<ticket>${TICKET}</ticket>\n` },
  'a refusal': { ...login, status: 403, text: JSON.stringify(status()) },
  'a list in xml': list,
  'a definition in xml': {
    ...list,
    text: definition('<adhocPropertiesAllowed>true</adhocPropertiesAllowed>'),
  },
  'a language': { ...list, headers: { ...list.headers, 'content-language': 'de' } },
  'a list that the caller has': { ...list, status: 304, text: '' },
  'an extension': { ...login, target: '/api/login.json' },
};

const DEPARTING: Readonly<Record<string, [Exchange, RegExp]>> = {
  'a status that is not described': [{ ...login, status: 418 }, /no response 418/],
  'a media type that is not described': [{ ...login, type: 'text/plain' }, /no text\/plain with 200/],
  'no media type': [{ ...login, type: undefined }, /no media type/],
  'a header that is not described': [
    { ...login, headers: { ...ID, 'content-language': 'de' } },
    /no header content-language/,
  ],
  'a request id that is missing': [{ ...login, headers: {} }, /X-Request-Id is missing with 200/],
  'a tag that is missing': [{ ...list, status: 304, headers: ID, text: '' }, /ETag is missing with 304/],
  'a challenge that is missing': [{ ...list, status: 401, headers: ID }, /WWW-Authenticate is missing/],
  'a wait that is missing': [{ ...login, status: 503, headers: ID }, /Retry-After is missing/],
  'no JSON': [{ ...login, text: '{' }, /JSON/],
  'a member that is missing': [{ ...login, text: '{"data":{}}' }, /ticket/],
  'a member that is not described': [
    { ...login, text: JSON.stringify({ data: { ticket: TICKET, user: 'admin' } }) },
    /additional/,
  ],
  'a value of another form': [{ ...login, text: '{"data":{"ticket":"TICKET_1"}}' }, /pattern/],
  'an error document without a member': [
    { ...login, status: 403, text: JSON.stringify(status({ message: undefined })) },
    /message/,
  ],
  'xml under another name': [{ ...list, text: `${XML}<definitions/>\n` }, /definitions/],
  'xml that is not well-formed': [{ ...list, text: `${XML}<actionDefinitions>\n` }, /well-formed/],
  'xml without an element': [{ ...list, text: definition('') }, /adhocPropertiesAllowed/],
  'xml with a value of another form': [
    { ...list, text: definition('<adhocPropertiesAllowed>yes</adhocPropertiesAllowed>') },
    /adhocPropertiesAllowed/,
  ],
};

for (const [what, exchange] of Object.entries(AS_DESCRIBED)) {
  test(`${what} is as described`, () => assert.equal(departures.of(exchange), undefined));
}

for (const [what, [exchange, departure]] of Object.entries(DEPARTING)) {
  test(`${what} is told as a departure`, () => assert.match(departures.of(exchange) ?? '', departure));
}
