import assert from 'node:assert/strict';
import { at, type Replay, textAt, USER } from './replay.ts';

const S = '/alfresco/s';
const SERVICE = '/alfresco/service';
const V1 = '/alfresco/api/-default-/public';

const POST_LOGIN = {
  json: { username: USER.name, password: USER.password },
  keeps: (text: string) => ({ ticket: textAt(text, 'data', 'ticket') }),
} as const;

const openEsdh: Replay = {
  client: 'OpenESDH tries single sign-on, logs in, and asks who may do what',
  source: 'OpenESDH/OpenESDH-UI',
  steps: [
    { ask: `GET ${S}/touch`, headers: { 'x-requested-with': 'XMLHttpRequest' }, status: 401 },
    { ask: `POST ${S}/api/login`, headers: { 'x-requested-with': 'XMLHttpRequest' }, ...POST_LOGIN },
    {
      ask: `GET ${S}/api/people/{user}?alf_ticket={ticket}`,
      reads(text) {
        assert.equal(textAt(text, 'userName'), USER.name);
        assert.equal(at(text, 'capabilities', 'isAdmin'), false);
      },
    },
    {
      ask: `GET ${S}/api/people/{user}/preferences?alf_ticket={ticket}&pf=dk_openesdh_cases_favourites`,
      reads: (text) => assert.equal(JSON.parse(text).dk_openesdh_cases_favourites, undefined),
    },
    { ask: `DELETE ${S}/api/login/ticket/{ticket}?alf_ticket={ticket}` },
  ],
};

const dotNet: Replay = {
  client: 'a .NET portal logs in and reads the person with its groups into objects',
  source: 'NextGenCMS',
  steps: [
    { ask: `POST ${SERVICE}/api/login`, ...POST_LOGIN },
    {
      ask: `GET ${SERVICE}/api/people/{user}?groups=true&alf_ticket={ticket}`,
      reads(text) {
        for (const name of ['userName', 'firstName', 'lastName', 'email']) textAt(text, name);
        for (const { itemName, displayName } of at(text, 'groups') as Record<string, string>[])
          assert.ok(itemName?.startsWith('GROUP_') && displayName !== undefined);
      },
    },
  ],
};

/** It cuts the groups off by position, and reads the rest as JSON: a reader that ignores what stands behind the object. */
const cutting: Replay = {
  client: 'a portal in Java cuts the groups off the text of a person',
  source: 'DECIDE',
  steps: [
    { ask: `POST ${SERVICE}/api/login`, ...POST_LOGIN },
    {
      ask: `GET ${SERVICE}/api/people/{user}?groups=true&alf_ticket={ticket}`,
      reads(text) {
        const lines = text.replace(/\r?\n/g, '');
        const cut = `${lines.slice(0, lines.indexOf('groups') - 3)}} }`;
        const [whole] = [cut, cut.slice(0, cut.lastIndexOf('}'))].filter(isJson);
        assert.equal(textAt(whole ?? '', 'userName'), USER.name);
        const groups = (at(text, 'groups') as { itemName: string }[]).map(({ itemName }) => itemName);
        assert.ok(!groups.includes('GROUP_ALFRESCO_ADMINISTRATORS'));
      },
    },
  ],
};

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

const vue: Replay = {
  client: 'a portal in Vue logs in, and asks for the person and its groups by the ticket',
  source: 'a portal with VUE_APP_ALFRESCO_API',
  steps: [
    {
      ask: `POST ${V1}/authentication/versions/1/tickets`,
      json: { userId: USER.name, password: USER.password },
      status: 201,
      keeps: (text) => ({ ticket: textAt(text, 'entry', 'id') }),
    },
    {
      ask: `GET ${V1}/alfresco/versions/1/people/-me-`,
      basic: '{ticket}',
      reads(text) {
        for (const name of ['firstName', 'lastName', 'email']) textAt(text, 'entry', name);
      },
    },
    {
      ask: `GET ${V1}/alfresco/versions/1/people/-me-/groups`,
      basic: '{ticket}',
      reads(text) {
        const entries = at(text, 'list', 'entries') as { entry: { id: string } }[];
        assert.ok(entries.map(({ entry }) => entry.id).includes(`GROUP_${USER.group.name}`));
      },
    },
  ],
};

const php: Replay = {
  client: 'a CodeIgniter site logs in by GET with a form, reads the ticket as xml, and the person as JSON',
  source: 'a CodeIgniter controller Auth',
  steps: [
    {
      ask: `GET ${SERVICE}/api/login`,
      parts: { u: '{user}', pw: '{password}' },
      keeps(text) {
        const [, ticket] = /<ticket>(TICKET_\w+)<\/ticket>/.exec(text) ?? assert.fail(text);
        return { ticket: ticket as string };
      },
    },
    {
      ask: `GET ${SERVICE}/api/people/{user}?alf_ticket={ticket}`,
      reads(text) {
        assert.equal(textAt(text, 'userName'), USER.name);
        assert.equal(textAt(text, 'organization'), USER.profile.organization);
        assert.equal(textAt(text, 'email'), USER.profile.email);
      },
    },
  ],
};

const spu: Replay = {
  client: 'SPU logs in by GET for JSON, loads its user from the person, and logs out',
  source: 'mailsonmota/spu-fortaleza, gilmagno/alfresco-php-api',
  steps: [
    {
      ask: `GET ${SERVICE}/api/login?u={user}&pw={password}&format=json`,
      keeps: (text) => ({ ticket: textAt(text, 'data', 'ticket') }),
    },
    {
      ask: `GET ${SERVICE}/api/people/{user}?alf_ticket={ticket}`,
      reads(text) {
        for (const name of ['firstName', 'lastName', 'email', 'userName']) textAt(text, name);
      },
    },
    { ask: `DELETE ${SERVICE}/api/login/ticket/{ticket}?alf_ticket={ticket}` },
  ],
};

/** Its page is on the host of the service, and a browser says so. */
const react: Replay = {
  client: 'a portal in React changes the password of its user by the ticket, and goes on with it',
  source: 'a portal with handlechangePassword',
  steps: [
    { ask: `POST ${SERVICE}/api/login`, ...POST_LOGIN },
    {
      ask: `POST ${SERVICE}/api/person/changepassword/{user}`,
      basic: '{ticket}',
      headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
      json: { newpw: 'an even longer, quieter river', oldpw: USER.password },
      reads: (text) => assert.equal(at(text, 'success'), true),
    },
    { ask: `GET ${SERVICE}/api/people/{user}`, basic: '{ticket}' },
  ],
};

export const PORTALS = [openEsdh, dotNet, cutting, vue, php, spu, react];
