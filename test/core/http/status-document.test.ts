import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RefusalCode } from '../../../src/core/domain/refusal.ts';
import { startTestService } from '../../service/start.ts';
import { exchange, play, type Scenario, WRONG } from './scenario.ts';

const XML = 'text/xml;charset=UTF-8';
const JSON_TYPE = 'application/json;charset=UTF-8';
const HTML = 'text/html;charset=UTF-8';
const PROBLEM = 'application/problem+json';
const PROBLEM_TYPE = /^application\/problem\+json(;|$)/;
const query = `u=admin&pw=${WRONG}`;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
/** Values of `Accept` that ask neither for a page nor for a problem report. */
const NAMES_NEITHER = [
  `${PROBLEM};q=0`,
  `${PROBLEM}; Q=0.000, */*`,
  `${PROBLEM}x`,
  `x-${PROBLEM}`,
  'application/json, text/html;q=0',
  'text/html ;level=1; q=0.0',
  'text/htmlx',
  'x;y=text/html',
];

test('the document of an error', async (t) => {
  const { url } = await startTestService(t);

  await t.test('has every key in json, in order, and nothing of the inside', async () => {
    const { text } = await exchange(url, `GET /api/login.json?${query}`);
    const document = JSON.parse(text);
    const { description } = document.status;
    const { time } = document;
    assert.match(description, /\w/);
    assert.match(time, ISO);
    const status = { code: 403, name: 'Forbidden', description };
    const rest = { exception: '', callstack: [], server: 'Tessera v3.2.0 (2039)', time };
    assert.equal(text, JSON.stringify({ status, message: 'Login failed', ...rest }));
  });

  await t.test('has every element in xml, in order', async () => {
    const { text } = await exchange(url, `GET /api/login?${query}`);
    const shape =
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<response><status><code>403<\/code><name>Forbidden<\/name><description>[^<]+<\/description><\/status><message>Login failed<\/message><exception\/><callstack\/><server>Tessera v3\.2\.0 \(2039\)<\/server><time>([^<]+)<\/time><\/response>\n$/;
    assert.match(shape.exec(text)?.[1] ?? text, ISO);
  });

  const accept = (
    name: string,
    ask: string,
    type: string,
    wanted: string,
    more: Partial<Scenario>,
  ): Scenario => {
    // A parameter of the media type of a problem report changes nothing (RFC 9457, section 3).
    const typed = type === PROBLEM ? { answers: { 'content-type': PROBLEM_TYPE } } : { type };
    return { name, ask, status: 404, headers: { accept: wanted }, ...typed, ...more };
  };
  const nowhere = 'GET /api/nowhere';
  const problem = (status: number, title: string, detail: string, code: RefusalCode) =>
    JSON.stringify({ type: 'about:blank', title, status, detail, code });

  await play(t, url, [
    accept('is a page if no operation is found and Accept names html', nowhere, HTML, BROWSER, {
      message: 'No operation answers at this path',
      holds: ['<!doctype html>', '<h1>404 Not Found</h1>'],
    }),
    accept('is json if no operation is found and Accept names anything', nowhere, JSON_TYPE, '*/*', {}),
    accept('is json if no operation is found and Accept names xml', nowhere, JSON_TYPE, 'text/xml', {}),
    {
      name: 'is json if no operation is found and nothing is accepted',
      ask: nowhere,
      status: 404,
      type: JSON_TYPE,
    },
    accept(
      'has the default format of the operation, whatever Accept says',
      `GET /api/login?${query}`,
      XML,
      BROWSER,
      { status: 403 },
    ),
    accept(
      'has the default format if the requested one is not offered',
      'GET /api/login.toml',
      XML,
      BROWSER,
      { status: 406 },
    ),
    accept('is a problem report if that is accepted', `GET /api/login?${query}`, PROBLEM, PROBLEM, {
      status: 403,
      whole: problem(403, 'Forbidden', 'Login failed', 'login_failed'),
    }),
    accept(
      'is a problem report among others that are accepted',
      nowhere,
      PROBLEM,
      `${PROBLEM}, text/html;q=0.5`,
      {
        whole: problem(404, 'Not Found', 'No operation answers at this path', 'path_unknown'),
      },
    ),
    ...NAMES_NEITHER.map((wanted) =>
      accept(`is json where Accept is ${wanted}`, nowhere, JSON_TYPE, wanted, {}),
    ),
    accept(
      'is a page if html has the lowest weight',
      nowhere,
      HTML,
      'application/json,text/html ; q=0.001',
      {},
    ),
    accept(
      'is a problem report in a charset',
      nowhere,
      PROBLEM,
      `text/html;q=0 ,${PROBLEM};charset=utf-8`,
      {},
    ),
    accept('is a problem report in any case of letters', nowhere, PROBLEM, 'Application/Problem+JSON', {}),
    accept('is a problem report with a challenge', 'GET /api/login/ticket/x', PROBLEM, PROBLEM, {
      status: 401,
      answers: { 'content-type': PROBLEM_TYPE, 'www-authenticate': 'Basic realm="Tessera"' },
    }),
    accept('is a problem report for a wrong method', 'PUT /api/server', PROBLEM, PROBLEM, {
      status: 405,
      holds: ['"status":405'],
    }),
    {
      name: 'escapes its message in xml',
      ask: 'POST /api/login.xml',
      body: '{"username":5}',
      status: 400,
      message: /^Unable to parse JSON POST body: "username"/,
    },
  ]);
});
