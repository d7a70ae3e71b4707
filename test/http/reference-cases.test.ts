import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PASSWORD, startTestService } from '../service/start.ts';
import { basic } from '../service/talk.ts';
import { exchange, play, type Scenario, WRONG } from './scenario.ts';

const TICKET = /<ticket>(TICKET_[0-9a-f]{40})<\/ticket>/;
const DATA_TICKET = /^\{"data":\{"ticket":"TICKET_[0-9a-f]{40}"\}\}$/;

test('the cases of the reference', async (t) => {
  const service = await startTestService(t);
  const { url } = service;
  await service.addUser('user-one');
  const login = `/api/login?u=user-one&pw=${PASSWORD}`;
  const post = (name: string, body: object, status: number, whole: RegExp): Scenario => {
    return { name, ask: 'POST /api/login', body: JSON.stringify(body), status, whole };
  };

  const { text, status } = await exchange(url, `GET ${login}`);
  const ticket = TICKET.exec(text)?.[1] ?? '';
  const asOwner = basic(`user-one:${PASSWORD}`);
  const asOther = basic(`admin:${PASSWORD}`);
  const at = `/api/login/ticket/${ticket}`;

  await t.test('1: good credentials by GET give a ticket', () => {
    assert.equal(status, 200);
    assert.match(text, TICKET);
  });
  await play(t, url, [
    {
      name: '2: another user, an administrator, does not validate it',
      ask: `GET ${at}`,
      headers: asOther,
      status: 404,
    },
    { name: '3: its owner validates it', ask: `GET ${at}`, headers: asOwner, status: 200, whole: TICKET },
    { name: '4: its owner deletes it', ask: `DELETE ${at}`, headers: asOwner, status: 200 },
    { name: '5: its owner does not validate it afterwards', ask: `GET ${at}`, headers: asOwner, status: 404 },
    {
      name: '6: login.json gives data.ticket',
      ask: `GET ${login.replace('?', '.json?')}`,
      status: 200,
      whole: DATA_TICKET,
    },
    {
      name: '7: format=json gives data.ticket',
      ask: `GET ${login}&format=json`,
      status: 200,
      whole: DATA_TICKET,
    },
    post('8: POST gives data.ticket', { username: 'user-one', password: PASSWORD }, 200, DATA_TICKET),
    post(
      '9: a wrong password by POST is 403',
      { username: 'user-one', password: WRONG },
      403,
      /Login failed/,
    ),
    { name: '10: a wrong password by GET is 403', ask: `GET /api/login?u=user-one&pw=${WRONG}`, status: 403 },
    post('11: JSON without a user name is 400', { password: PASSWORD }, 400, /Username not specified/),
    post('12: JSON without a password is 400', { username: 'user-one' }, 400, /Password not specified/),
    { name: '13: GET without pw is 400', ask: 'GET /api/login?u=user-one', status: 400 },
    { name: '14: GET without u is 400', ask: `GET /api/login?pw=${PASSWORD}`, status: 400 },
  ]);
});
