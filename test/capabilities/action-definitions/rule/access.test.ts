import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAnswered, exchange } from '../../../core/http/scenario.ts';
import { PASSWORD } from '../../../service/start.ts';
import { basic } from '../../../service/talk.ts';
import { ALL, asking, ofNode, ofPath } from './asking.ts';

/** Every path of the action definitions, to things that exist and things that do not. */
const PATHS = [
  ...[ALL, `${ALL}?format=xml`, `${ALL}/transform`, `${ALL}/nothing`],
  ...[ofNode('sites'), ofNode('nothing'), ofPath('Company%20Home/Sites'), ofPath('Nowhere')],
  ...['/api/node/no/store/at/all/actiondefs', '/api/path/no/store/at/all/actiondefs'],
];

test('without a live ticket every path is 401, whether what it names is there or not', async (t) => {
  const { service } = await asking(t);
  for (const path of PATHS) {
    for (const headers of [
      {},
      { authorization: `Bearer TICKET_${'0'.repeat(40)}` },
      basic('nobody:nothing'),
    ]) {
      assertAnswered(await exchange(service.url, `GET ${path}`, { headers }), {
        name: path,
        ask: path,
        status: 401,
        answers: { 'www-authenticate': 'Basic realm="Tessera"' },
        lacks: ['add-features', 'not found'],
      });
    }
  }
});

test('a ticket that was ended lists nothing any more', async (t) => {
  const { get, service, ticket } = await asking(t);
  const headers = { authorization: `Bearer ${ticket}` };
  await exchange(service.url, `DELETE /api/login/ticket/${ticket}`, { headers });
  for (const path of PATHS) assert.equal((await get(path)).status, 401, path);
});

test('every way to authenticate works at every path', async (t) => {
  const { service, ticket } = await asking(t);
  for (const path of [ALL, `${ALL}/transform`, ofNode('sites'), ofPath('Company%20Home')]) {
    const ways = [
      { target: `${path}?alf_ticket=${ticket}`, headers: {} },
      { target: path, headers: basic(`ROLE_TICKET:${ticket}`) },
      { target: path, headers: basic(`:${ticket}`) },
      { target: path, headers: basic(ticket) },
      { target: path, headers: basic(`admin:${PASSWORD}`) },
    ];
    for (const { target, headers } of ways)
      assert.equal((await exchange(service.url, `GET ${target}`, { headers })).status, 200);
  }
});

test('the paths accept GET and HEAD, and name both in answers to any other method', async (t) => {
  const { service, ticket } = await asking(t);
  const headers = { authorization: `Bearer ${ticket}` };
  for (const path of [ALL, `${ALL}/transform`, ofNode('sites'), ofPath('Company%20Home')]) {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const heard = await exchange(service.url, `${method} ${path}`, { headers });
      assert.equal(heard.status, 405);
      assert.equal(heard.headers.allow, 'GET, HEAD, OPTIONS');
    }
  }
});
