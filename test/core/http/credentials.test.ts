import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presentedIn } from '../../../src/core/http/credentials.ts';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { basic, logIn } from '../../service/talk.ts';
import { NOBODY_WAITS, play, type Scenario, WRONG } from './scenario.ts';

const DEAD = `TICKET_${'0'.repeat(40)}`;
const header = (authorization: string) => ({ authorization });
const latin1 = (text: string) => header(`Basic ${Buffer.from(text, 'latin1').toString('base64')}`);

test('a caller of level user', async (t) => {
  const service = await startTestService(t, NOBODY_WAITS);
  const { url, addUser, store } = service;
  await addUser('mia');
  await addUser('jörg', { password: 'größer:als:früher' });
  await addUser('guest', { password: undefined });
  await addUser('ROLE', {});
  const [mia, again] = [await logIn(url, 'mia'), await logIn(url, 'mia')];
  const admin = await logIn(url);
  const jörg = await logIn(url, 'jörg', 'größer:als:früher');
  const guest = await logIn(url, 'guest', '');
  const at = (ticket: string, query = '') => `GET /api/login/ticket/${ticket}${query}`;
  const known = (name: string, ask: string, headers = {}): Scenario => ({ name, ask, headers, status: 200 });
  const notKnown = (name: string, ask: string, headers = {}): Scenario => ({
    ...{ name, ask, headers, status: 401, lacks: ['TICKET_'] },
    ...{ type: 'text/xml;charset=UTF-8', answers: { 'www-authenticate': 'Basic realm="Tessera"' } },
  });
  const by = (...tickets: string[]) => `?${tickets.map((ticket) => `alf_ticket=${ticket}`).join('&')}`;

  await play(t, url, [
    known('is known by alf_ticket', at(mia, by(mia))),
    known('is known by Basic user and password', at(mia), basic(`mia:${PASSWORD}`)),
    known('is known by Basic in any spelling of the name', at(mia), basic(`MIA:${PASSWORD}`)),
    known(
      'is known by Basic in any spelling of the scheme',
      at(mia),
      header(basic(`mia:${PASSWORD}`).authorization.replace('Basic', 'bAsIC ')),
    ),
    known(
      'is known by Basic with colons in the password, in UTF-8',
      at(jörg),
      basic('jörg:größer:als:früher'),
    ),
    known('is known by Basic in ISO-8859-1', at(jörg), latin1('jörg:größer:als:früher')),
    known('is known by Basic ROLE_TICKET and a ticket', at(mia), basic(`ROLE_TICKET:${mia}`)),
    known('is known by Basic role_ticket in lower case', at(mia), basic(`role_ticket:${mia}`)),
    known('is known by Basic ROLE_TICKET in mixed case', at(mia), basic(`Role_Ticket:${mia}`)),
    known('is known by Basic with no name and a ticket', at(mia), basic(`:${mia}`)),
    known('is known by Basic with a ticket alone', at(mia), basic(mia)),
    known(
      'is known by Basic without padding',
      at(mia),
      header(basic(`mia:${PASSWORD}`).authorization.replace(/=+$/, '')),
    ),
    known(
      'is known by Basic in the alphabet of URLs',
      at(jörg),
      header(latin1('jörg:größer:als:früher').authorization.replaceAll('/', '_')),
    ),
    known(
      'is known by Basic with what belongs to no base64 in it',
      at(mia),
      header(basic(`mia:${PASSWORD}`).authorization.replace('Basic ', 'Basic !.')),
    ),
    known('is known by Basic with a ticket as the name', at(mia), basic(`${mia}:`)),
    known('is known by Bearer', at(mia), header(`Bearer ${mia}`)),
    known('is known by Bearer in lower case', at(mia), header(`bearer ${mia}`)),
    known('without a password is known by Basic with none', at(guest), basic('guest:')),
    known('without a password is known by Basic with any', at(guest), basic('guest:whatever')),
    known('is known by a live alf_ticket behind a dead one', at(mia, by(DEAD, 'x', mia))),
    known('is known by two live tickets of its own', at(mia, by(mia, again))),
    known('is known by the same ticket twice', at(mia, by(mia, mia))),
    known(
      'is authenticated by a live alf_ticket, whatever user the header names',
      at(mia, by(mia)),
      basic(`admin:${PASSWORD}`),
    ),
    known('is known by a live alf_ticket beside a wrong password', at(mia, by(mia)), basic(`mia:${WRONG}`)),
    known('is known by the header behind a dead alf_ticket', at(mia, by(DEAD)), basic(`mia:${PASSWORD}`)),
    known(
      'is authenticated by a ticket in the header after a dead alf_ticket',
      at(mia, by(DEAD)),
      basic(`ROLE_TICKET:${mia}`),
    ),
    known('is known by the header beside an empty alf_ticket', at(mia, by('')), header(`Bearer ${mia}`)),
    {
      name: 'with live tickets of two users is answered 400',
      ask: at(mia, by(mia, admin)),
      status: 400,
      message: /alf_ticket.*two users/,
    },
    {
      name: 'with live tickets of two users is answered 400, whatever user the header names',
      ask: at(mia, by(DEAD, mia, admin)),
      headers: basic(`mia:${PASSWORD}`),
      status: 400,
    },
    {
      name: 'is the user of the argument, not of the header',
      ask: at(admin, by(mia)),
      headers: basic(`admin:${PASSWORD}`),
      status: 404,
    },
    notKnown('is not known by nothing', at(mia)),
    notKnown('is not known by an empty alf_ticket', at(mia, by(''))),
    notKnown('is not known by a dead alf_ticket', at(mia, by(DEAD))),
    notKnown('is not known by a ticket under another argument', at(mia, `?ticket=${mia}&ALF_TICKET=${mia}`)),
    notKnown('is not known by u and pw', at(mia, `?u=mia&pw=${PASSWORD}`)),
    notKnown('is not known by a cookie', at(mia), { cookie: `alf_ticket=${mia}; ROLE_TICKET=${mia}` }),
    notKnown(
      'is not known by a dead alf_ticket and a wrong password',
      at(mia, by(DEAD)),
      basic(`mia:${WRONG}`),
    ),
    notKnown('is not known by a wrong password', at(mia), basic(`mia:${WRONG}`)),
    notKnown('is not known by an empty password', at(mia), basic('mia:')),
    notKnown('is not known by an unknown name', at(mia), basic(`nobody-here:${PASSWORD}`)),
    notKnown('is not known by an overlong password', at(mia), basic(`mia:${'p'.repeat(1025)}`)),
    notKnown('is not known by a dead ticket in Basic', at(mia), basic(`ROLE_TICKET:${DEAD}`)),
    notKnown('is not known by a ticket behind another name', at(mia), basic(`ROLE:${mia}`)),
    notKnown('is not known by a dead ticket as a name', at(mia), basic(`${DEAD}:`)),
    notKnown('is not known by a ticket as a name with a password', at(mia), basic(`${mia}:${PASSWORD}`)),
    notKnown('is not known by a dead ticket in Bearer', at(mia), header(`Bearer ${DEAD}`)),
    notKnown('is not known by user and password in Bearer', at(mia), header(`Bearer mia:${PASSWORD}`)),
    notKnown('is not known by Basic that is no base64', at(mia), header('Basic !!!')),
    notKnown('is not known by Basic that is cut off', at(mia), header('Basic')),
    notKnown('is not known by Basic of an empty text', at(mia), header('Basic =')),
    notKnown('is not known by Basic of a colon', at(mia), basic(':')),
    notKnown('is not known by user and password in the clear', at(mia), header(`Basic mia:${PASSWORD}`)),
    notKnown('is not known by a ticket without a scheme', at(mia), header(mia)),
    notKnown('is not known by another scheme', at(mia), header(`Digest username="mia", response="${mia}"`)),
    notKnown('is not known by an empty header', at(mia), header('')),
  ]);

  await t.test('leaves no ticket behind when it comes with a password', async () => {
    const kept = await store.read(async (unit) => {
      const user = await unit.users.findByKey('mia');
      return unit.tickets.listOf(user?.id as number);
    });
    assert.equal(kept.length, 2);
  });
});

test('an Authorization header is a scheme, one blank or more, and a value without any', () => {
  for (const authorization of [
    'Basicx',
    'Bearer',
    'Bearer ',
    'Bearer  ',
    `Bearer ${DEAD} x`,
    `Bearer\t${DEAD}`,
  ])
    assert.equal(presentedIn(undefined, authorization).header, undefined, authorization);
  assert.deepEqual(presentedIn(undefined, `Bearer  ${DEAD} `).header, { ticket: DEAD });
});

test('of many values of alf_ticket the first eight are looked up', () => {
  const given = Array.from({ length: 20 }, (_, number) => `ticket ${number}`);
  assert.deepEqual(presentedIn(given, undefined).arguments, given.slice(0, 8));
  assert.deepEqual(presentedIn(given.slice(0, 8), undefined).arguments, given.slice(0, 8));
});
