import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csrfFault } from '../../../src/core/http/csrf.ts';
import type { RequestHead } from '../../../src/core/http/http-request.ts';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';
import { play, type Scenario, WRONG } from './scenario.ts';

const GET = `GET /api/login?u=admin&pw=${PASSWORD}`;
const PORTAL = 'https://portal.example.org';
const APP = 'capacitor://localhost';
const FILES = 'file://';
const body = JSON.stringify({ username: 'admin', password: PASSWORD });
const NO_CORS = {
  'access-control-allow-origin': null,
  'access-control-allow-credentials': null,
  'access-control-allow-methods': null,
  'access-control-expose-headers': null,
};

const let_in = (name: string, headers: Record<string, string>, ask = GET): Scenario => {
  return { name, ask, headers, body: ask.startsWith('POST') ? body : undefined, status: 200 };
};
const refused = (name: string, headers: Record<string, string>, ask = GET): Scenario => {
  return {
    ...let_in(name, headers, ask),
    status: 403,
    message: 'Cross-site login refused',
    answers: NO_CORS,
  };
};

test('a login that a web page sends', async (t) => {
  const { url } = await startTestService(t);
  const ticket = await logIn(url);
  const { host, port } = new URL(url);
  const of = (origin: string, more: Record<string, string> = {}) => ({ origin, ...more });
  const site = (name: string) => ({ 'sec-fetch-site': name });
  const wrongly = `GET /api/login?u=admin&pw=${WRONG}`;

  await play(t, url, [
    refused('is refused by GET when it is from another site', site('cross-site')),
    refused('is refused by POST when it is from another site', site('cross-site'), 'POST /api/login'),
    refused(
      'is refused as an overridden POST when it is from another site',
      site('cross-site'),
      `POST${GET.slice(3)}&alf_method=GET`,
    ),
    refused('is refused before the name is looked at', site('cross-site'), 'GET /api/login'),
    {
      ...refused('is refused before the body is looked at', site('cross-site'), 'POST /api/login'),
      body: '{',
    },
    let_in('is let in from the same origin', site('same-origin')),
    let_in('is let in from the same site', site('same-site')),
    let_in('is let in when a person typed it', site('none')),
    let_in('is let in by Sec-Fetch-Site before Origin', of(PORTAL, site('same-site')), 'POST /api/login'),
    refused('is refused by Origin if Sec-Fetch-Site holds none of its values', of(PORTAL, site('elsewhere'))),
    refused('is refused by Origin where Sec-Fetch-Site holds two', of(PORTAL, site('none, cross-site'))),
    refused('is refused by Origin where Sec-Fetch-Site is empty', of(PORTAL, site(''))),
    let_in('is let in if Sec-Fetch-Site holds none of its values and there is no Origin', site('elsewhere')),
    let_in('is let in with its own origin', of(url), 'POST /api/login'),
    let_in('is let in with its own host over TLS', of(`https://${host}`), 'POST /api/login'),
    let_in('is let in with the host that Host names', of(PORTAL, { host: 'portal.example.org' })),
    let_in('is let in whatever case Host is in', of(PORTAL, { host: 'Portal.example.org:443' })),
    let_in(
      'is let in with the host of a target in absolute form, whatever Host says',
      of(PORTAL, { host: 'backend' }),
      'POST HTTP://portal.example.org:443/api/login',
    ),
    refused(
      'is refused with an origin other than the host of its whole address',
      of(PORTAL, { host: 'portal.example.org' }),
      'POST http://backend/api/login',
    ),
    refused('is refused with a foreign origin', of(PORTAL)),
    refused('is refused by POST with a foreign origin', of(PORTAL), 'POST /api/login'),
    refused('is refused with the origin null', of('null')),
    refused('is refused with an empty origin', of('')),
    refused('is refused with the origin of pages that are files', of(FILES)),
    refused('is refused with an origin that is none', of(host)),
    let_in('is let in from another port of its own host', of(`http://127.0.0.1:${Number(port) - 1}`)),
    let_in(
      'is let in if a proxy dropped the port from Host',
      of('http://portal.example.org:8084', { host: 'portal.example.org' }),
    ),
    let_in(
      'is let in if a proxy put its own port there',
      of('http://portal.example.org', { host: 'portal.example.org:8080' }),
    ),
    refused('is refused with its own host in front of another', of(`http://${host}.example.org`)),
    refused('is refused with its own host as the user of another', of(`http://${host}@portal.example.org`)),
    refused(
      'is refused whatever X-Forwarded-Host says, if no proxy is trusted',
      of(PORTAL, { 'x-forwarded-host': 'portal.example.org' }),
    ),
    ...[1, 2, 3, 4, 5, 6].map((nth) =>
      refused(`is not counted as a failure (${nth} of 6)`, site('cross-site'), wrongly),
    ),
    let_in('is let in afterwards, nothing having been counted', {}),
    let_in(
      'is the only thing that is refused to other sites',
      { ...site('cross-site'), origin: PORTAL },
      `GET /api/login/ticket/${ticket}?alf_ticket=${ticket}`,
    ),
    {
      name: 'gets no header of CORS',
      ask: 'OPTIONS /api/login',
      headers: of(PORTAL),
      status: 204,
      answers: NO_CORS,
    },
  ]);
});

test('a login behind a trusted proxy', async (t) => {
  const { url } = await startTestService(t, { TESSERA_TRUSTED_PROXIES: '127.0.0.1' });
  const forwarded = { 'x-forwarded-host': 'portal.example.org' };
  await play(t, url, [
    let_in('is let in with the origin of the host that the proxy names', { ...forwarded, origin: PORTAL }),
    refused('is refused with the origin of the host behind it', { ...forwarded, origin: url }),
    let_in('is let in with its own host where the proxy names none', { origin: url }),
    refused('is refused with a foreign origin', { ...forwarded, origin: 'https://example.org' }),
  ]);
});

test('an origin that is allowed', async (t) => {
  const env = { TESSERA_ALLOWED_ORIGINS: `${PORTAL}, http://localhost:3000, ${APP}, ${FILES}` };
  const { url } = await startTestService(t, env);
  const foreign = { 'sec-fetch-site': 'cross-site', origin: PORTAL };
  const cors = {
    'access-control-allow-origin': PORTAL,
    vary: /\bOrigin\b/,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': /\bRetry-After\b/,
  };
  const preflight = {
    ...foreign,
    'access-control-request-method': 'DELETE',
    'access-control-request-headers': 'authorization, if-none-match, x-http-method-override',
  };

  await play(t, url, [
    { ...let_in('may log in by GET', foreign), answers: cors },
    { ...let_in('may log in by POST', { origin: PORTAL }, 'POST /api/login'), answers: cors },
    {
      ...let_in('may be one of several', { origin: 'http://localhost:3000' }),
      answers: { 'access-control-allow-origin': 'http://localhost:3000' },
    },
    {
      ...let_in('may be an app’s', { 'sec-fetch-site': 'cross-site', origin: APP }),
      answers: { 'access-control-allow-origin': APP },
    },
    {
      ...let_in('may be that of pages that are files', { 'sec-fetch-site': 'cross-site', origin: FILES }),
      answers: { 'access-control-allow-origin': FILES },
    },
    refused('is never null, whatever is allowed', { 'sec-fetch-site': 'cross-site', origin: 'null' }),
    {
      name: 'reads refusals',
      ask: `GET /api/login?u=admin&pw=${WRONG}`,
      headers: foreign,
      status: 403,
      message: 'Login failed',
      answers: cors,
    },
    {
      name: 'reads challenges',
      ask: 'GET /api/login/ticket/x',
      headers: foreign,
      status: 401,
      answers: cors,
    },
    {
      name: 'reads that a body is too large',
      ask: 'POST /api/login',
      headers: foreign,
      body: 'x'.repeat(65_537),
      status: 413,
      answers: cors,
    },
    {
      name: 'learns in advance what it may send',
      ask: 'OPTIONS /api/login/ticket/x',
      headers: preflight,
      status: 204,
      answers: {
        ...cors,
        'access-control-allow-methods': /\bDELETE\b/,
        'access-control-allow-headers': /\bauthorization\b.*\bif-none-match\b.*\bx-http-method-override\b/i,
      },
    },
    {
      name: 'may send what ADF adds to its requests',
      ask: 'OPTIONS /api/login',
      headers: { ...preflight, 'access-control-request-headers': 'cache-control, x-csrf-token' },
      status: 204,
      answers: { ...cors, 'access-control-allow-headers': /\bcache-control\b.*\bx-csrf-token\b/i },
    },
    refused('makes no other one allowed', { ...foreign, origin: 'https://example.org' }),
    refused('makes none allowed that begins like it', { origin: `${PORTAL}.evil.example` }),
    refused('is compared with its scheme', { origin: PORTAL.replace('https', 'http') }),
    {
      ...let_in('turns nothing on for callers without one', {}),
      answers: { 'access-control-allow-origin': null },
    },
  ]);
});

/** Why a request with these headers is cross-site, with or without a trusted proxy. */
const why = (headers: Record<string, string>, behindProxy = false) =>
  csrfFault('/api/login', { headers } as unknown as RequestHead, [], behindProxy);

test('of the hosts that proxies name the first counts, in upper or lower case', () => {
  const forwarded = { origin: PORTAL, 'x-forwarded-host': ' Portal.Example.org , inner' };
  assert.equal(why(forwarded, true), undefined);
  assert.match(
    why({ ...forwarded, 'x-forwarded-host': 'inner, portal.example.org' }, true) ?? '',
    /^origin /,
  );
});

test('an origin without a host differs from a missing host', () => {
  assert.equal(why({ origin: 'null' }), 'origin none, asked host none');
});

test('Sec-Fetch-Site goes before Origin with each of its values', () => {
  for (const site of ['same-origin', 'same-site', 'none'])
    assert.equal(why({ origin: PORTAL, host: 'x', 'sec-fetch-site': site }), undefined, site);
});
