import { test } from 'node:test';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';
import { NOBODY_WAITS, play, type Scenario } from './scenario.ts';

const right = `u=admin&pw=${PASSWORD}`;
const found = (name: string, ask: string): Scenario => ({ name, ask, status: 200 });
const notThere = (name: string, ask: string): Scenario => {
  return { name, ask, status: 404, message: 'No operation answers at this path' };
};
const slashTooMany = (name: string, ask: string): Scenario => {
  return { name, ask, status: 404, message: 'No operation answers at this path: it has a slash too many' };
};
const portal = (name: string, ask: string): Scenario => {
  return { name, ask, status: 303, answers: { location: '/portal' } };
};
const broken = (name: string, ask: string): Scenario => ({
  name,
  ask,
  status: 400,
  message: /percent escape/,
});

test('a path', async (t) => {
  const service = await startTestService(t, NOBODY_WAITS);
  const { url } = service;
  const ticket = await logIn(url);
  const own = `?alf_ticket=${ticket}`;

  await play(t, url, [
    found('leads to a login under /alfresco/service', `GET /alfresco/service/api/login?${right}`),
    found('leads to a login under /alfresco/s', `GET /alfresco/s/api/login?${right}`),
    found('leads to a login under /alfresco/wcs', `GET /alfresco/wcs/api/login?${right}`),
    found('leads to a login under /alfresco/wcservice', `GET /alfresco/wcservice/api/login?${right}`),
    found('leads to a login under the root', `GET /api/login?${right}`),
    found('leads to a ticket under every base path', `GET /alfresco/s/api/login/ticket/${ticket}${own}`),
    found(
      'leads to a ticket by extension under every base path',
      `GET /alfresco/service/api/login/ticket/${ticket}.json${own}`,
    ),
    found('is decoded, segment by segment', `GET /%61pi/log%69n?${right}`),
    found('is decoded where it holds the ticket', `GET /api/login/ticket/%54ICKET_${ticket.slice(7)}${own}`),
    found('may be the whole address, as sent to a proxy', `GET ${url}/api/login?${right}`),
    found('may be the whole address with a name in capitals', `GET HTTP://EXAMPLE.org:81/api/server`),
    found('may end in a bare question mark', 'GET /api/server?'),
    found('may end in ampersands', 'GET /api/server?&&'),
    found('may carry arguments that mean nothing', 'GET /api/server?guest=true&x=%3Cy%3E&=z&flag'),
    found('may carry a semicolon in an argument', 'GET /api/server?a;b=c;d'),
    found('may carry an argument that means nothing twice', 'GET /api/server?x=1&x=2'),
    slashTooMany('does not end in a slash', `GET /api/login/?${right}`),
    slashTooMany('does not end in a slash behind a ticket', `GET /api/login/ticket/${ticket}/${own}`),
    slashTooMany('has no empty segment', `GET /api//login?${right}`),
    slashTooMany('does not begin with two slashes', `GET //api/login?${right}`),
    notThere('has a ticket where one belongs', `GET /api/login/ticket${own}`),
    notThere('has no empty ticket', `GET /api/login/ticket/${own}`),
    notThere('is compared with case', `GET /API/login?${right}`),
    notThere('has no encoded slash for a slash', `GET /api%2Flogin?${right}`),
    notThere('has no dots that walk upwards', `GET /x/../api/login?${right}`),
    notThere('has no encoded dots that walk upwards', `GET /x/%2e%2e/api/login?${right}`),
    notThere('has no matrix arguments', `GET /api/login;v=1?${right}`),
    notThere('has no part of a base path', `GET /alfresco/api/login?${right}`),
    notThere('has no base path twice', `GET /alfresco/s/alfresco/s/api/login?${right}`),
    notThere('keeps a plus as a plus', `GET /api/log+in?${right}`),
    portal('leads from the root to the pages for people', 'GET /'),
    portal('leads from the root of a whole address to the pages for people', `GET ${url}`),
    notThere('leads to no property of an object', 'GET /constructor/__proto__'),
    notThere('leads to no metrics', 'GET /metrics'),
    notThere('leads to no health', 'GET /health/live'),
    notThere('is no star', 'OPTIONS *'),
    notThere('that no slash too many leads astray is not said to have one', 'GET /api//nowhere/'),
    broken('with a cut escape is 400', 'GET /api/login/ticket/%4'),
    broken('with an escape of no digits is 400', 'GET /api/login/ticket/%zz'),
    broken('with a bare percent sign is 400', 'GET /api/100%/x'),
    broken('with bytes that are not UTF-8 is 400', 'GET /api/login/ticket/%ff%fe'),
    broken('with an overlong encoding is 400', 'GET /api/login/ticket/%c0%af'),
    broken('with a broken escape in a value is 400', `GET /api/login?u=admin&pw=50%`),
    broken('with a broken escape in the name of an argument is 400', `GET /api/login?${right}&%e4=1`),
    {
      name: 'takes an encoded slash as part of one segment',
      ask: `GET /api/login/ticket/a%2Fb${own}`,
      status: 404,
      message: 'Ticket not found',
    },
    {
      name: 'takes a NUL byte as part of a segment',
      ask: `GET /api/login/ticket/${ticket}%00${own}`,
      status: 404,
      message: 'Ticket not found',
    },
    {
      name: 'takes a segment of a thousand characters',
      ask: `GET /api/login/ticket/${'t'.repeat(1000)}${own}`,
      status: 404,
      message: 'Ticket not found',
    },
  ]);
});

test('a path under base paths that were set', async (t) => {
  const { url } = await startTestService(t, { TESSERA_BASE_PATHS: '/repo/ws/' });
  await play(t, url, [
    found('leads to a login under the one that was set', `GET /repo/ws/api/login?${right}`),
    notThere('leads to none under the root', `GET /api/login?${right}`),
    notThere('leads to none under a default one', `GET /alfresco/s/api/login?${right}`),
  ]);
});
