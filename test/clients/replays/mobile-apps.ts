import assert from 'node:assert/strict';
import { at, type Replay, type Step, textAt, USER } from './replay.ts';

const V1 = '/alfresco/api/-default-/public';
const PAIR = '{user}:{password}';

/** Both apps compare the numbers before the first space with this one, and ask for no password below it. */
const LEAST = [5, 2, 2];

function isNewEnough(version: string): boolean {
  const numbers = (version.split(' ')[0] as string).split('.').map(Number);
  const [first] = LEAST.flatMap((least, place) => {
    const number = numbers[place] ?? 0;
    return number === least ? [] : [number > least];
  });
  return first ?? true;
}

const server: Step = {
  ask: 'GET /alfresco/service/api/server',
  reads(text) {
    for (const member of ['edition', 'version', 'schema']) textAt(text, 'data', member);
    assert.ok(isNewEnough(textAt(text, 'data', 'version')));
  },
};

const ticket: Step = {
  ask: `POST ${V1}/authentication/versions/1/tickets`,
  basic: PAIR,
  json: { userId: USER.name, password: USER.password },
  status: 201,
  keeps: (text) => ({ ticket: textAt(text, 'entry', 'id') }),
};

/** The models of both apps have no default for these members. */
const me: Step = {
  ask: `GET ${V1}/alfresco/versions/1/people/-me-`,
  basic: PAIR,
  reads(text) {
    assert.equal(textAt(text, 'entry', 'id'), USER.name);
    assert.equal(textAt(text, 'entry', 'firstName'), USER.profile.firstName);
    assert.equal(textAt(text, 'entry', 'email'), USER.profile.email);
    assert.equal(textAt(text, 'entry', 'displayName'), 'Ann Meyer');
    assert.equal(at(text, 'entry', 'enabled'), true);
  },
};

const settings = { TESSERA_ANNOUNCED_VERSION: '5.2.2' };

const SERVICE = '/alfresco/service';

/** They send name and password with each request, and read favourites out of the preferences. */
const olderSdks: Replay = {
  client: 'the older SDKs for iOS and Android ask for the edition, the person and its favourites',
  source: 'Alfresco/alfresco-ios-sdk, Alfresco/alfresco-android-sdk',
  steps: [
    {
      ask: `GET ${SERVICE}/api/server`,
      basic: PAIR,
      reads(text) {
        textAt(text, 'data', 'edition');
        assert.match(textAt(text, 'data', 'version'), /^\d+\.\d+\.\d+ \(\w+\)$/);
      },
    },
    {
      ask: `GET ${SERVICE}/api/people/{user}`,
      basic: PAIR,
      reads(text) {
        for (const name of ['userName', 'firstName', 'lastName', 'jobtitle', 'email', 'telephone'])
          textAt(text, name);
        for (const name of ['companyaddress1', 'skype', 'googleusername']) assert.equal(at(text, name), null);
      },
    },
    {
      ask: `GET ${SERVICE}/api/people/{user}/preferences?pf=org.alfresco.share.documents.favourites`,
      basic: PAIR,
      reads: (text) => assert.equal(JSON.parse(text).org, undefined),
    },
  ],
};

export const MOBILE_APPS: readonly Replay[] = [
  {
    client:
      'the content app for Android checks the server, asks who the user is, and gets a ticket for its links',
    source: 'Alfresco/alfresco-mobile-workspace-android, Alfresco/alfresco-android-kotlin-api',
    settings,
    steps: [
      { ask: 'GET /app-config.json', status: 404 },
      server,
      me,
      ticket,
      { ask: 'GET /alfresco/service/touch?alf_ticket={ticket}' },
    ],
  },
  {
    client: 'the content app for iOS checks the server, gets a ticket, and asks who the user is',
    source: 'Alfresco/alfresco-mobile-workspace-ios',
    settings,
    steps: [server, ticket, me],
  },
  {
    client: 'both apps ask for no password where an old version is announced',
    source: 'Alfresco/alfresco-mobile-workspace-ios, Alfresco/alfresco-android-kotlin-api',
    steps: [
      {
        ask: server.ask,
        reads: (text) => assert.equal(isNewEnough(textAt(text, 'data', 'version')), false),
      },
    ],
  },
  olderSdks,
];
