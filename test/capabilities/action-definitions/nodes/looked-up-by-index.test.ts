import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Nodes, nodesTable } from '../../../../src/capabilities/action-definitions/tables/nodes.ts';
import { databaseIn } from '../../../../src/engines/sqlite/data-folder.ts';
import { SqliteStatements } from '../../../../src/engines/sqlite/units.ts';
import { RecordingDatabase } from '../../../engines/sqlite/recording-database.ts';
import { afterwards } from '../../../service/afterwards.ts';
import { temporaryFolder } from '../../../service/start.ts';
import { openSqlite } from '../../../service/stores.ts';

test('no statement on nodes reads more of them than it needs, however many there are', async (t) => {
  const folder = await temporaryFolder(t);
  await openSqlite(folder).close();
  const db = new RecordingDatabase(databaseIn(folder));
  afterwards(t, () => db.close());
  const nodes = nodesTable.write(new SqliteStatements(db)) as Nodes;
  await nodes.find('a://b', 'c');
  await nodes.root('a://b');
  await nodes.child('a://b', 'c', 'd');
  await nodes.at('a://b', ['c', 'd']);
  await nodes.hasChildren('a://b', 'c');
  await nodes.children('a://b', 'c');
  await nodes.page(undefined, 10);
  await nodes.put({ store: 'a://b', id: 'c', type: 'd', name: 'e' });
  await nodes.remove('a://b', 'c');
  const recorded = [...db.statements];
  assert.ok(recorded.length > 8);
  for (const sql of recorded) {
    const plan = db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail));
    for (const step of plan) {
      const why = `${sql}\n${plan.join('\n')}`;
      assert.doesNotMatch(step, /^SCAN (n|nodes)\b/, why);
      // A search by the store alone would read all its nodes.
      assert.doesNotMatch(step, /^SEARCH (n|nodes) .*\(store=\?\)$/, why);
      assert.doesNotMatch(step, /TEMP B-TREE/, why);
    }
  }
});
