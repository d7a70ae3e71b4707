import assert from 'node:assert/strict';
import { at, type Replay, textAt, USER } from './replay.ts';

const V1 = '/alfresco/api/-default-/public';
const TICKETS = `${V1}/authentication/versions/1/tickets`;
const PEOPLE = `${V1}/alfresco/versions/1/people`;

const idsIn = (text: string) =>
  (at(text, 'list', 'entries') as { entry: { id: string } }[]).map(({ entry }) => entry.id);

const contentLake: Replay = {
  client: 'the content lake takes a ticket of its user interface, and asks whose it is and for the groups',
  source: 'aborroy/alfresco-content-lake',
  steps: [
    {
      ask: `POST ${TICKETS}`,
      json: { userId: USER.name, password: USER.password },
      status: 201,
      keeps: (text) => ({ ticket: textAt(text, 'entry', 'id') }),
    },
    {
      ask: `GET ${TICKETS}/-me-`,
      basic: '{ticket}',
      headers: { accept: 'application/json' },
      reads: (text) => assert.match(textAt(text, 'entry', 'id'), /^TICKET_/),
    },
    {
      ask: `GET ${PEOPLE}/-me-`,
      basic: '{ticket}',
      headers: { accept: 'application/json' },
      reads: (text) => assert.equal(textAt(text, 'entry', 'id'), USER.name),
    },
    {
      // A service account asks about every user: an administrator here.
      ask: `GET ${PEOPLE}/{user}/groups?skipCount=0&maxItems=1000`,
      basic: `admin:${USER.password}`,
      headers: { accept: 'application/json' },
      reads: (text) => assert.ok(idsIn(text).includes(`GROUP_${USER.group.name}`)),
    },
    {
      ask: 'GET /alfresco/api/discovery',
      basic: `admin:${USER.password}`,
      reads: (text) => assert.notEqual(textAt(text, 'entry', 'repository', 'id'), ''),
    },
  ],
};

const goClient: Replay = {
  client: 'a client in Go sends name, password and ticket with each request, and pages through the groups',
  source: 'skilld-labs/go-alfresco',
  steps: [
    {
      ask: 'POST /alfresco/s/api/login',
      json: { username: USER.name, password: USER.password },
      keeps: (text) => ({ ticket: textAt(text, 'data', 'ticket') }),
    },
    ...[0, 1].map((skipCount) => ({
      ask: `GET ${PEOPLE}/{user}/groups?skipCount=${skipCount}&maxItems=1&alf_ticket={ticket}`,
      basic: '{user}:{password}',
      reads(text: string) {
        assert.equal(idsIn(text).length, 1);
        assert.equal(at(text, 'list', 'pagination', 'hasMoreItems'), skipCount === 0);
        for (const name of ['count', 'totalItems', 'skipCount', 'maxItems'])
          assert.equal(typeof at(text, 'list', 'pagination', name), 'number');
      },
    })),
  ],
};

const uptime: Replay = {
  client: 'an uptime check touches the service with its account, and learns that a wrong one is wrong',
  source: 'a check with axios of /alfresco/service/touch',
  steps: [
    { ask: 'GET /alfresco/service/touch', basic: '{user}:{password}' },
    { ask: 'GET /alfresco/service/touch', basic: '{user}:wrong', status: 401 },
  ],
};

const smokeTest: Replay = {
  client: 'smoke tests and pings ask for the version and the modules with their account',
  source: 'scripts that verify an installation, a client in .NET',
  steps: [
    {
      ask: 'GET /alfresco/api/discovery',
      basic: `admin:${USER.password}`,
      reads(text) {
        assert.ok(text.includes('3.2.0'));
        assert.ok(Array.isArray(at(text, 'entry', 'repository', 'modules')));
      },
    },
  ],
};

const CHANGE = '/alfresco/s/api/person/changepassword';
const NEW = 'an even longer, quieter river';

const passwordTools: Replay = {
  client: 'shell tools change the password of the administrator, and reset that of a user',
  source: 'scripts with curl, and requests in Python',
  steps: [
    {
      ask: `POST ${CHANGE}/admin`,
      basic: `admin:${USER.password}`,
      headers: { 'cache-control': 'no-cache', 'content-type': 'application/json' },
      json: { newpw: NEW, oldpw: USER.password },
    },
    { ask: `POST ${CHANGE}/{user}`, basic: `admin:${NEW}`, json: { newpw: NEW } },
    {
      // A site in PHP asks as the administrator and sends the old password of its user along.
      ask: `POST ${CHANGE}/{user}`,
      basic: `admin:${NEW}`,
      json: { newpw: USER.password, oldpw: NEW },
      reads: (text) => assert.equal(at(text, 'success'), true),
    },
    { ask: 'GET /alfresco/service/touch', basic: '{user}:{password}' },
  ],
};

export const SERVICES = [contentLake, goClient, uptime, smokeTest, passwordTools];
