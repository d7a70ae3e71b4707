import assert from 'node:assert/strict';
import { at, type Replay, textAt, USER } from './replay.ts';

const V1 = '/alfresco/api/-default-/public';
const ME = `${V1}/alfresco/versions/1/people/-me-`;

/** The content app shows who may do what only once it knows the groups and the person, in this order. */
export const CONTENT_APP: readonly Replay[] = [
  {
    client: 'the content app logs in, asks for the repository, the groups, and then the person',
    source: 'Alfresco/alfresco-content-app, Alfresco/alfresco-ng2-components',
    steps: [
      {
        ask: `POST ${V1}/authentication/versions/1/tickets`,
        json: { userId: USER.name, password: USER.password },
        status: 201,
        keeps: (text) => ({ ticket: textAt(text, 'entry', 'id') }),
      },
      { ask: `GET ${V1}/authentication/versions/1/tickets/-me-`, basic: '{ticket}' },
      {
        ask: 'GET /alfresco/api/discovery',
        basic: '{ticket}',
        reads(text) {
          const status = ['entry', 'repository', 'status'] as const;
          assert.equal(at(text, ...status, 'isQuickShareEnabled'), false);
          for (const part of ['major', 'minor', 'patch', 'hotfix', 'display'])
            textAt(text, 'entry', 'repository', 'version', part);
          assert.deepEqual(at(text, 'entry', 'repository', 'modules'), []);
        },
      },
      {
        ask: `GET ${ME}/groups?maxItems=250&skipCount=0`,
        basic: '{ticket}',
        reads(text) {
          const entries = at(text, 'list', 'entries') as { entry: { id: string } }[];
          assert.ok(entries.map(({ entry }) => entry.id).includes(`GROUP_${USER.group.name}`));
          assert.equal(at(text, 'list', 'pagination', 'hasMoreItems'), false);
        },
      },
      {
        ask: `GET ${ME}`,
        basic: '{ticket}',
        reads(text) {
          assert.equal(textAt(text, 'entry', 'id'), USER.name);
          assert.equal(at(text, 'entry', 'capabilities', 'isAdmin'), false);
          assert.equal(textAt(text, 'entry', 'email'), USER.profile.email);
        },
      },
      { ask: `DELETE ${V1}/authentication/versions/1/tickets/-me-`, basic: '{ticket}', status: 204 },
    ],
  },
];
