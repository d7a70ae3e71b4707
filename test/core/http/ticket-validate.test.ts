import { test } from 'node:test';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { basic, logIn } from '../../service/talk.ts';
import { NOBODY_WAITS, play, type Scenario } from './scenario.ts';

const UNKNOWN = `TICKET_${'0'.repeat(40)}`;
const HOUR = 3_600_000;

test('a validation', async (t) => {
  const service = await startTestService(t, NOBODY_WAITS);
  const { url, store, addUser } = service;
  await addUser('mia');
  await addUser('eve', { administrator: true });
  const mine = await logIn(url, 'mia');
  const second = await logIn(url, 'mia');
  const eves = await logIn(url, 'eve');
  const asMia = basic(`mia:${PASSWORD}`);
  const at = (ticket: string, by = mine) => `GET /api/login/ticket/${ticket}?alf_ticket=${by}`;
  const xml = (ticket: string) => `<?xml version="1.0" encoding="UTF-8"?>\n<ticket>${ticket}</ticket>\n`;
  const notFound = (name: string, ask: string, headers = {}): Scenario => {
    return { name, ask, headers, status: 404, type: 'text/xml;charset=UTF-8', message: 'Ticket not found' };
  };
  const notKnown = (name: string, ask: string, headers = {}): Scenario => {
    return { name, ask, headers, status: 401, answers: { 'www-authenticate': 'Basic realm="Tessera"' } };
  };

  await play(t, url, [
    { name: 'shows the caller its ticket, to the byte', ask: at(mine), status: 200, whole: xml(mine) },
    {
      name: 'shows a ticket of the caller to another one of it',
      ask: at(second),
      status: 200,
      whole: xml(second),
    },
    {
      name: 'knows its caller by user name and password too',
      ask: `GET /api/login/ticket/${mine}`,
      headers: asMia,
      status: 200,
      whole: xml(mine),
    },
    {
      name: 'answers in json as a login does',
      ask: `GET /api/login/ticket/${mine}.json?alf_ticket=${mine}`,
      status: 200,
      type: 'application/json;charset=UTF-8',
      whole: `{\n\t"data":\n\t{\n\t\t"ticket":"${mine}"\n\t}\n}\n`,
    },
    notFound('finds no ticket of another user', at(eves)),
    notFound('finds no ticket of another user even for an administrator', at(mine, eves)),
    notFound('finds no ticket that was never issued', at(UNKNOWN)),
    notFound('finds no ticket in upper case', at(mine.toUpperCase())),
    notFound('finds no ticket without its prefix', at(mine.slice('TICKET_'.length))),
    notFound('finds no ticket with something behind it', at(`${mine}0`)),
    notFound('finds no ticket with a line feed behind it', at(`${mine}%0A`)),
    notFound('finds no ticket with a dot in it', at('a.b.xml')),
    notKnown('asks who calls first', `GET /api/login/ticket/${mine}`),
    notKnown('asks who calls even about an unknown ticket', `GET /api/login/ticket/${UNKNOWN}`),
    notKnown('does not take the ticket in the path as a credential', at(mine, UNKNOWN)),
  ]);

  const change = (by: object) =>
    store.write(async (unit) => {
      const user = await unit.users.findByKey('mia');
      await unit.users.change(user?.id as number, by);
    });
  await change({ disabled: true });
  await play(t, url, [notKnown('does not know a disabled user by a ticket', at(mine))]);
  await play(t, url, [notKnown('nor by user name and password', `GET /api/login/ticket/${mine}`, asMia)]);
  await change({ disabled: false, lockedUntil: Date.now() + HOUR });
  await play(t, url, [notKnown('does not know a user who is locked out', at(mine))]);
  await change({ lockedUntil: 0 });
  await play(t, url, [{ name: 'knows the user again once the lock is over', ask: at(mine), status: 200 }]);
  service.shiftClock(HOUR);
  await play(t, url, [notKnown('does not take an expired ticket as a credential', at(mine))]);
  await play(t, url, [notFound('finds no expired ticket', `GET /api/login/ticket/${mine}`, asMia)]);
});
