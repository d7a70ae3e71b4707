import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { UserFilter } from '../../../src/core/storage/people.ts';
import { GROUPS, ROLES_SQL } from '../../../src/engines/sql/people-sql.ts';
import { usersRead } from '../../../src/engines/sql/users.ts';
import { databaseIn } from '../../../src/engines/sqlite/data-folder.ts';
import { placeholders } from '../../../src/engines/sqlite/prepare.ts';
import { SqliteStatements } from '../../../src/engines/sqlite/units.ts';
import { SEARCH } from '../../../src/engines/sqlite/user-search.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { RecordingDatabase } from './recording-database.ts';

const AFTER = { id: 1, key: 'a' };
const FILTERS: readonly UserFilter[] = [
  {},
  { prefix: 'ann' },
  { administrators: true },
  { disabled: true },
  { lockedAt: 1 },
  { neverLoggedIn: true },
  { withoutSecondFactor: true },
  { part: 'ann' },
  { part: 'anna.bermann' },
  { part: 'ann', disabled: true },
  { part: 'ann', administrators: true },
];

test('no list of users reads a table from end to end, or sorts what it found', async (t) => {
  const folder = await temporaryFolder(t);
  await openSqlite(folder).close();
  using db = new RecordingDatabase(databaseIn(folder));
  const { search, countUpTo } = usersRead(new SqliteStatements(db), SEARCH);
  for (const filter of FILTERS) for (const after of [undefined, AFTER]) await search(filter, after, 100);
  for (const filter of FILTERS) await countUpTo(100, filter);
  for (const by of ['key', 'lastLoginAt'] as const)
    for (const descending of [false, true])
      for (const filter of [{}, { neverLoggedIn: true }])
        for (const after of [undefined, AFTER]) await search(filter, after, 100, { by, descending });
  const asked = db.statements.splice(0);
  assert.ok(asked.length >= FILTERS.length);
  for (const sql of asked) {
    const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
    for (const { detail } of steps) {
      const step = String(detail);
      assert.ok(!step.includes('TEMP B-TREE'), `${sql}: ${step}`);
      assert.match(
        step,
        /^SEARCH|^CO-ROUTINE|^SCAN found$|USING (COVERING )?INDEX|VIRTUAL TABLE INDEX \d+:.*M/,
        `${sql}: ${step}`,
      );
    }
  }
});

test('no question about the groups or the role of a user reads all groups or all members', async (t) => {
  const folder = await temporaryFolder(t);
  await openSqlite(folder).close();
  using db = new DatabaseSync(databaseIn(folder));
  const { ofUser, containing, groupsIn, usersIn } = GROUPS;
  const { ownOf, of, hasAdministrator } = ROLES_SQL;
  for (const sql of [ofUser, containing, groupsIn, usersIn, ownOf, of, hasAdministrator]) {
    const steps = db.prepare(`EXPLAIN QUERY PLAN ${placeholders(sql)}`).all();
    for (const { detail } of steps) {
      // The tables as the statements call them. Few users are administrators themselves, and an index has just those.
      assert.doesNotMatch(
        String(detail),
        /AUTOMATIC|^SCAN [gmnu]\b(?! USING INDEX administrators)/,
        `${sql}: ${detail}`,
      );
    }
  }
});
