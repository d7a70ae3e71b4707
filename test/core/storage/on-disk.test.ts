import assert from 'node:assert/strict';
import fs, { readdirSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeThrottleKey } from '../../../src/core/identity/throttle-key.ts';
import { backUpSqlite } from '../../../src/engines/sqlite/backup.ts';
import { restoreSqlite } from '../../../src/engines/sqlite/restore.ts';
import { sqliteTarget } from '../../../src/engines/sqlite/transfer/target.ts';
import { stepsOnDisk } from '../../engines/steps-on-disk.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { NOW } from './conformance/samples.ts';

const silent = () => undefined;
const REPLACING = { replace: true, keepTickets: false, actor: 'root', now: NOW };

/** Has the file system know no second names from now on: what the system says of it is what is given. */
function withoutHardLinks(t: TestContext): (code: string) => void {
  let code = 'EPERM';
  t.mock.method(fs, 'linkSync', () => {
    throw Object.assign(new Error('link'), { code });
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  return (given) => {
    code = given;
  };
}

const told = (mend: string) => ({
  name: 'StoreUnavailable',
  message: new RegExp(`this file system has no hard links: ${mend}$`),
});

test('a backup onto a file system without hard links is refused with the mend, and nothing is left on it', async (t) => {
  const [folder, target] = [await temporaryFolder(t), await temporaryFolder(t)];
  await openSqlite(folder).close();
  const say = withoutHardLinks(t);
  for (const code of ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']) {
    say(code);
    await assert.rejects(
      backUpSqlite(folder, join(target, 'saved.db'), silent),
      told('write the backup to another, and copy it there'),
    );
    assert.deepEqual(readdirSync(target), []);
  }
});

test('a restoring that could not keep what it replaces is refused with the mend, and changes nothing', async (t) => {
  const [folder, file] = [await temporaryFolder(t), join(await temporaryFolder(t), 'saved.db')];
  const store = openSqlite(folder);
  await backUpSqlite(folder, file, silent);
  await store.close();
  withoutHardLinks(t);
  await assert.rejects(
    restoreSqlite(folder, file, REPLACING, silent),
    told('keep the data folder on another'),
  );
  assert.deepEqual(readdirSync(folder), ['tessera.db']);
  await openSqlite(folder).close();
});

test('a copy into a folder without hard links is refused with the mend, and no service starts on it', async (t) => {
  const folder = await temporaryFolder(t);
  const target = sqliteTarget(folder, 'a source');
  t.after(() => target.close());
  withoutHardLinks(t);
  await assert.rejects(target.finish({ users: 0, events: 0 }), told('keep the data folder on another'));
  assert.ok(!readdirSync(folder).includes('tessera.db'));
});

test('a copy that cannot take its place for another reason does not blame a database', async (t) => {
  const folder = await temporaryFolder(t);
  const target = sqliteTarget(folder, 'a source');
  t.after(() => target.close());
  withoutHardLinks(t)('EMLINK');
  await assert.rejects(target.finish({ users: 0, events: 0 }), {
    name: 'StoreUnavailable',
    message: /^cannot use the data folder [^:]*: link$/,
  });
});

test('a backup is on the disk before it has its name, and its name before the command ends', async (t) => {
  const [folder, target] = [await temporaryFolder(t), await temporaryFolder(t)];
  await openSqlite(folder).close();
  const steps = stepsOnDisk(t);
  const file = join(target, 'saved.db');
  await backUpSqlite(folder, file, silent);
  const at = steps.indexOf(`linked: ${file}`);
  assert.match(steps[at - 1] ?? '', new RegExp(`^synced: ${target}/`));
  assert.deepEqual(steps.slice(at), [`linked: ${file}`, `synced: ${target}`]);
});

test('a key that cannot be made in one step is not made, and the mend is told', async (t) => {
  const folder = await temporaryFolder(t);
  withoutHardLinks(t);
  assert.throws(() => makeThrottleKey(join(folder, 'throttle-key')), told('keep the key on another'));
  assert.deepEqual(readdirSync(folder), []);
});
