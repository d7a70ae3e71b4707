import assert from 'node:assert/strict';
import { at, type Replay, textAt, USER } from './replay.ts';

const CM = '{http://www.alfresco.org/model/content/1.0}';

/** What Surf's connectors send: the ticket as an argument. */
const LOGIN = {
  ask: 'POST /alfresco/s/api/login',
  json: { username: USER.name, password: USER.password },
  keeps: (text: string) => ({ ticket: textAt(text, 'data', 'ticket') }),
} as const;

/** Surf makes its user of this, whatever application is built on it: anything but 200 and `OK` is a failed log-in. */
const METADATA = {
  ask: 'GET /alfresco/s/webframework/content/metadata?user={user}&alf_ticket={ticket}',
  reads(text: string) {
    assert.equal(textAt(text, 'code'), 'OK');
    assert.equal(textAt(text, 'data', 'properties', `${CM}userName`), USER.name);
    assert.equal(textAt(text, 'data', 'properties', `${CM}firstName`), USER.profile.firstName);
    for (const flags of ['capabilities', 'immutableProperties'])
      for (const [name, flag] of Object.entries(at(text, 'data', flags) as object))
        assert.equal(typeof flag, 'boolean', name);
  },
} as const;

const share: Replay = {
  client: 'Share logs a user in, builds its header and logs it out',
  source: 'Alfresco/share, Alfresco/surf, Alfresco/surf-webscripts',
  steps: [
    {
      ask: 'GET /alfresco/s/api/admin/restrictions?guest=true',
      reads(text) {
        for (const limit of ['users', 'documents']) assert.equal(at(text, limit), null);
        assert.equal(textAt(text, 'licenseMode'), 'UNKNOWN');
        textAt(text, 'licenseHolder');
      },
    },
    LOGIN,
    {
      ask: 'GET /alfresco/s/api/people/{user}?groups=true&alf_ticket={ticket}',
      headers: { 'content-type': 'application/json' },
      reads(text) {
        const groups = at(text, 'groups') as { itemName: string }[];
        assert.ok(groups.map(({ itemName }) => itemName).includes(`GROUP_${USER.group.name}`));
      },
    },
    METADATA,
    {
      ask: 'GET /alfresco/s/api/people/{user}/preferences?alf_ticket={ticket}',
      reads: (text) => assert.deepEqual(JSON.parse(text), {}),
    },
    { ask: 'DELETE /alfresco/s/api/login/ticket/{ticket}?alf_ticket={ticket}' },
    { ask: 'GET /alfresco/s/touch?alf_ticket={ticket}', status: 401 },
  ],
};

/** Its filter for the identity service gives `{token}`, and its connectors the ticket and the name from then on. */
export const WITH_TOKEN: Replay = {
  client: 'Share takes its ticket for an access token of the identity provider, and builds its header',
  source: 'Alfresco/share, Alfresco/surf',
  steps: [
    {
      ask: 'GET /alfresco/api/-default-/public/authentication/versions/1/tickets/-me-',
      headers: { authorization: 'Bearer {token}', 'content-type': 'application/json' },
      keeps: (text) => ({ ticket: textAt(text, 'entry', 'id') }),
    },
    {
      ask: 'GET /alfresco/s/api/people/{user}?groups=true&alf_ticket={ticket}',
      headers: { 'content-type': 'application/json', 'x-alfresco-remote-user': '{user}' },
      reads: (text) => at(text, 'groups'),
    },
    METADATA,
    { ask: 'GET /alfresco/s/api/people/{user}/preferences?alf_ticket={ticket}' },
    {
      ask: 'GET /alfresco/api/-default-/public/alfresco/versions/1/people/-me-?alf_ticket={ticket}',
      reads: (text) => assert.equal(textAt(text, 'entry', 'id'), USER.name),
    },
    { ask: 'DELETE /alfresco/s/api/login/ticket/{ticket}?alf_ticket={ticket}' },
    { ask: 'GET /alfresco/s/touch?alf_ticket={ticket}', status: 401 },
  ],
};

const withoutGuest: Replay = {
  client: 'Share asks for its edition where no guest is let in',
  source: 'Alfresco/share',
  steps: [
    { ask: 'GET /alfresco/s/api/admin/restrictions', status: 401 },
    { ask: 'GET /alfresco/s/api/server', reads: (text) => textAt(text, 'data', 'edition') },
  ],
};

const singleSignOn: Replay = {
  client: 'Share behind single sign-on touches the repository before and after',
  source: 'Alfresco/share',
  steps: [
    { ask: 'GET /alfresco/wcs/touch', status: 401 },
    { ask: 'GET /alfresco/wcs/touch', basic: '{user}:{password}', reads: (text) => assert.equal(text, '') },
  ],
};

const change = '/alfresco/s/api/person/changepassword/{user}?alf_ticket={ticket}';
const NEW = 'an even longer, quieter river';

const changePassword: Replay = {
  client: 'Share changes a password, tells a wrong one by 401, and goes on with its ticket',
  source: 'Alfresco/share',
  steps: [
    LOGIN,
    { ask: `POST ${change}`, json: { oldpw: 'wrong', newpw: NEW }, status: 401 },
    {
      ask: `POST ${change}`,
      json: { oldpw: USER.password, newpw: NEW },
      reads: (text) => assert.equal(at(text, 'success'), true),
    },
    METADATA,
  ],
};

export const SHARE = [share, withoutGuest, singleSignOn, changePassword];
