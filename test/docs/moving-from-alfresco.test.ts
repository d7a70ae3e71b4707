import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { userInLine } from '../../src/capabilities/migration/import/user-line.ts';
import { testsOnPostgres } from '../service/postgres.ts';

const test = await testsOnPostgres();
const PAGE = readFileSync(new URL('../../docs/how-to/moving-from-alfresco.md', import.meta.url), 'utf8');
const MD4 = '209c6174da490caeb422f3fa5a7ae634';
const SHA256 = '8221b5062b1a66a215648caaf1da4b120cea225ce7adbd33841e1148e632e67b';
const BCRYPT = '$2a$05$abcdefghijklmnopqrstuuIljhFSLIb6BdpwTEbu2FSFuRcAFBr7i';

/** The tables of the reference, as far as they hold users: its properties are rows, those with several values several. */
const TABLES = `
  CREATE TABLE alf_store (id bigint, protocol text, identifier text);
  CREATE TABLE alf_qname (id bigint, local_name text);
  CREATE TABLE alf_node (id bigint, store_id bigint, type_qname_id bigint);
  CREATE TABLE alf_node_properties (node_id bigint, boolean_value boolean, string_value text, qname_id bigint, list_index int);
  INSERT INTO alf_store VALUES (1, 'user', 'alfrescoUserStore'), (2, 'workspace', 'SpacesStore');
  INSERT INTO alf_qname VALUES (1, 'user'), (2, 'person'), (3, 'username'), (4, 'password'), (5, 'password2'),
    (6, 'passwordHash'), (7, 'hashIndicator'), (8, 'salt'), (9, 'enabled'), (10, 'accountLocked'),
    (11, 'accountExpires'), (12, 'accountExpiryDate'), (13, 'credentialsExpire'), (14, 'credentialsExpiryDate');
  INSERT INTO alf_node VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1), (4, 1, 1), (5, 2, 2), (6, 1, 1), (7, 1, 1), (8, 1, 1),
    (9, 1, 1), (10, 1, 1);
  INSERT INTO alf_node_properties VALUES
    (1, NULL, 'chain', 3, -1), (1, NULL, '${BCRYPT}', 6, -1), (1, NULL, 'bcrypt10', 7, 1), (1, NULL, 'md4', 7, 0),
    (1, NULL, 'a-salt', 8, -1), (1, true, NULL, 9, -1),
    (2, NULL, 'oldest', 3, -1), (2, NULL, '${MD4}', 4, -1), (2, false, NULL, 9, -1),
    (3, NULL, 'older', 3, -1), (3, NULL, '${MD4}', 4, -1), (3, NULL, '${SHA256}', 5, -1), (3, NULL, 'a-salt', 8, -1),
    (4, NULL, 'nothing', 3, -1),
    (5, NULL, 'no user', 3, -1),
    (6, NULL, 'locked', 3, -1), (6, true, NULL, 9, -1), (6, true, NULL, 10, -1),
    (7, NULL, 'expired', 3, -1), (7, true, NULL, 11, -1), (7, NULL, '2020-01-31T09:00:00.000Z', 12, -1),
    (8, NULL, 'to expire', 3, -1), (8, true, NULL, 11, -1), (8, NULL, '2999-01-31T09:00:00.000Z', 12, -1),
    (9, NULL, 'old password', 3, -1), (9, true, NULL, 13, -1), (9, NULL, '2020-01-31T09:00:00.000+01:00', 14, -1),
    (10, NULL, 'unlocked', 3, -1), (10, false, NULL, 10, -1), (10, false, NULL, 11, -1),
    (10, NULL, '2020-01-31T09:00:00.000Z', 12, -1);`;

test('the query of the page gives the lines that the import reads', async (_t, server) => {
  const url = await server.freshSchema();
  await server.ask(TABLES, url);
  const query = /```sql\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? '';
  const lines = (await server.ask(query, url)).map((row) => Object.values(row)[0]);
  const read = lines.map((line) => userInLine(typeof line === 'string' ? JSON.parse(line) : line, false));
  const told = read.map((user) => {
    assert.ok(typeof user === 'object', String(user));
    const { name, disabled, hash } = user;
    const kinds =
      hash && 'steps' in hash ? hash.steps.map(({ kind, ...more }) => [kind, 'salt' in more]) : [];
    return { name, disabled, kinds };
  });
  told.sort((a, b) => a.name.localeCompare(b.name));
  const without = (name: string, disabled: boolean) => ({ name, disabled, kinds: [] });
  assert.deepEqual(told, [
    {
      name: 'chain',
      disabled: false,
      kinds: [
        ['md4', false],
        ['bcrypt', true],
      ],
    },
    without('expired', true),
    without('locked', true),
    without('nothing', false),
    without('old password', true),
    { name: 'older', disabled: false, kinds: [['sha256', true]] },
    { name: 'oldest', disabled: true, kinds: [['md4', false]] },
    without('to expire', false),
    without('unlocked', false),
  ]);
});
