import assert from 'node:assert/strict';
import { test } from 'node:test';
import { V1 } from '../../../src/core/api.ts';
import { startTestService } from '../../service/start.ts';
import { assertSound, exchange, type Sent, WRONG } from './scenario.ts';

const [HOME = '', SHORT = ''] = V1.basePaths;
const TICKETS = '/authentication/versions/1/tickets';
const wrong = { body: JSON.stringify({ userId: 'admin', password: WRONG }) };
const html = { headers: { accept: 'text/html' } };

const cases: readonly (readonly [ask: string, sent: Sent, status: number, key: string, summary: RegExp])[] = [
  [`POST ${HOME}${TICKETS}`, wrong, 403, 'Login failed', /^Login failed$/],
  [`POST ${SHORT}${TICKETS}`, { ...wrong, ...html }, 403, 'Login failed', /^Login failed$/],
  [
    `POST ${HOME}${TICKETS}`,
    { body: '{' },
    400,
    'Unable to parse JSON POST body',
    /^Unable .*: it is not JSON/,
  ],
  [`GET ${HOME}${TICKETS}/-me-`, {}, 401, 'framework.exception.ApiDefault', /^Authentication required/],
  [`GET ${HOME}${TICKETS}/-me-?format=xml`, html, 406, 'framework.exception.ApiDefault', /ask for json$/],
  [`GET ${HOME}${TICKETS}`, html, 405, 'framework.exception.UnsupportedResourceOperation', /POST, OPTIONS$/],
  [`GET ${HOME}/nowhere`, html, 404, 'framework.exception.NotFound', /^No operation/],
  [`GET ${SHORT}/nowhere`, {}, 404, 'framework.exception.NotFound', /^No operation/],
  [`GET http://h${HOME}/nowhere`, html, 404, 'framework.exception.NotFound', /^No operation/],
  [`GET ${HOME.replace('-', '%2D')}/nowhere`, html, 404, 'framework.exception.NotFound', /^No operation/],
  [
    `GET ${HOME}/%zz`,
    html,
    400,
    'Broken percent escape: write a percent sign as %25, and characters as UTF-8',
    /./,
  ],
  [
    `POST ${HOME}${TICKETS}`,
    { body: 'x'.repeat(100_000) },
    413,
    'framework.exception.RequestEntityTooLarge',
    /too large$/,
  ],
];

test('every error below the v1 base paths is the document of that API, whatever Accept says', async (t) => {
  const { url } = await startTestService(t);
  for (const [ask, sent, status, errorKey, summary] of cases) {
    const heard = await exchange(url, ask, sent);
    assert.equal(heard.status, status, ask);
    assertSound(heard);
    assert.equal(heard.headers['content-type'], 'application/json;charset=UTF-8', ask);
    const { error } = JSON.parse(heard.text);
    const { briefSummary, ...rest } = error;
    assert.match(briefSummary, summary);
    const nothing = { stackTrace: '', descriptionURL: '', logId: heard.headers['x-request-id'] };
    assert.deepEqual(rest, { errorKey, statusCode: status, ...nothing });
    const order = ['errorKey', 'statusCode', 'briefSummary', 'stackTrace', 'descriptionURL', 'logId'];
    assert.deepEqual(Object.keys(error), order);
  }
});

test('a problem report is given below the v1 base paths too, if it is accepted', async (t) => {
  const { url } = await startTestService(t);
  const headers = { accept: 'application/problem+json' };
  const { text } = await exchange(url, `POST ${HOME}${TICKETS}`, { ...wrong, headers });
  const problem = {
    type: 'about:blank',
    title: 'Forbidden',
    status: 403,
    detail: 'Login failed',
    code: 'login_failed',
  };
  assert.deepEqual(JSON.parse(text), problem);
});

test('a path that only looks like a v1 path gets the error of the web scripts', async (t) => {
  const { url } = await startTestService(t);
  for (const path of [HOME, HOME.replace('/api', '%2Fapi'), `${HOME}s/nowhere`, `/x${HOME}/nowhere`]) {
    const { status, text } = await exchange(url, `GET ${path}`, { headers: { accept: 'application/json' } });
    assert.equal(status, 404, path);
    assert.ok('message' in JSON.parse(text), path);
  }
});

test('web scripts do not answer below the v1 base paths, nor v1 below the base paths that are set', async (t) => {
  const { url } = await startTestService(t);
  for (const place of [`${HOME}/api/server`, `/alfresco/service${TICKETS}/-me-`, `${TICKETS}/-me-`])
    assert.equal((await exchange(url, `GET ${place}`)).status, 404, place);
});
