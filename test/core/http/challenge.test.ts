import { test } from 'node:test';
import { startTestService } from '../../service/start.ts';
import { basic } from '../../service/talk.ts';
import { exchange, play, type Scenario, WRONG } from './scenario.ts';

const ask = 'GET /api/login/ticket/x';
const challenged = (
  name: string,
  scheme: string,
  headers: Record<string, string>,
  request = ask,
): Scenario => {
  return {
    name,
    ask: request,
    headers,
    status: 401,
    answers: { 'www-authenticate': `${scheme} realm="Tessera"` },
  };
};
const fetched = (site: string, mode: string) => ({ 'sec-fetch-site': site, 'sec-fetch-mode': mode });

test('a challenge', async (t) => {
  const { url } = await startTestService(t);
  await play(t, url, [
    challenged('is Basic', 'Basic', {}),
    challenged('is Basic for a logout', 'Basic', {}, 'DELETE /api/login/ticket/x'),
    challenged('is Basic for HEAD', 'Basic', {}, 'HEAD /api/login/ticket/x'),
    challenged('is Basic after a wrong password', 'Basic', basic(`admin:${WRONG}`)),
    challenged('is Basic for a page that a person opens', 'Basic', fetched('none', 'navigate')),
    challenged(
      'is Basic for a page of another site that a person follows',
      'Basic',
      fetched('cross-site', 'navigate'),
    ),
    challenged('is Basic for a fetch outside browsers, which tells a mode only', 'Basic', {
      'sec-fetch-mode': 'cors',
    }),
    challenged('is Basic for a site without a mode', 'Basic', { 'sec-fetch-site': 'same-origin' }),
    challenged('is AlfTicket for a script that says so', 'AlfTicket', {
      'x-requested-with': 'XMLHttpRequest',
    }),
    challenged('is AlfTicket for a script in a page', 'AlfTicket', fetched('same-origin', 'cors')),
    challenged('is AlfTicket for a script without CORS', 'AlfTicket', fetched('same-site', 'no-cors')),
    challenged(
      'is AlfTicket for a script that logs out',
      'AlfTicket',
      fetched('same-origin', 'same-origin'),
      'DELETE /api/login/ticket/x',
    ),
    challenged('is AlfTicket for a script after a wrong password', 'AlfTicket', {
      ...basic(`admin:${WRONG}`),
      'x-requested-with': 'XMLHttpRequest',
    }),
  ]);
});

test('a caller who has to wait', async (t) => {
  const service = await startTestService(t);
  const { url } = service;
  const wrongly = `GET /api/login?u=admin&pw=${WRONG}`;
  for (let failures = 1; failures <= 12; failures += 1) {
    service.shiftClock(120_000);
    await exchange(url, wrongly);
  }
  const waits = { 'retry-after': /^1[12]\d$/ };
  await play(t, url, [
    {
      name: 'gets Retry-After with a login',
      ask: wrongly,
      status: 403,
      message: 'Login failed',
      answers: waits,
    },
    {
      name: 'gets Retry-After with a challenge',
      ask,
      headers: basic(`admin:${WRONG}`),
      status: 401,
      answers: { ...waits, 'www-authenticate': 'Basic realm="Tessera"' },
    },
    {
      name: 'gets it for an unknown name only when that name waits',
      ask: `GET /api/login?u=nobody-here&pw=${WRONG}`,
      status: 403,
      message: 'Login failed',
      answers: { 'retry-after': null },
    },
  ]);
});
