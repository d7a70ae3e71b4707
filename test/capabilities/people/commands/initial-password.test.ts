import assert from 'node:assert/strict';
import { chmodSync, chownSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { initialPasswordIn, makeFirstAdministrator } from '../../../../src/core/first-start.ts';
import { databaseIn } from '../../../../src/engines/sqlite/data-folder.ts';
import { readSettings } from '../../../../src/main/settings.ts';
import { run } from '../../../faces/cli/command.ts';
import { temporaryFolder } from '../../../service/start.ts';
import { openSqlite } from '../../../service/stores.ts';

/** A data folder after a first start without a terminal. */
async function afterFirstStart(t: TestContext) {
  const data = await temporaryFolder(t);
  const { settings } = readSettings({ flags: {}, env: { TESSERA_DATA: data } });
  const store = openSqlite(data);
  await makeFirstAdministrator(store, settings, { memory: 8, passes: 1, lanes: 1 }, false, Date.now);
  await store.close();
  const file = initialPasswordIn(data);
  return {
    data,
    file,
    isThere: () => existsSync(file),
    tessera: (words: string, stdin = '', program: readonly string[] = []) => {
      const [first = '', ...rest] = [...program, 'tessera', ...words.split(' ')];
      return run(first, rest, { env: { TESSERA_DATA: data }, stdin });
    },
  };
}

test('the file with the first password is removed once that is changed, and not before', async (t) => {
  const { file, isThere, tessera } = await afterFirstStart(t);
  await tessera('users add ana --password-stdin', 'a long quiet river');
  await tessera('users passwd ana --password-stdin', 'another quiet river');
  await tessera('users passwd admin --password-stdin', readFileSync(file, 'utf8'));
  assert.ok(isThere());
  const { stdout, stderr, code } = await tessera('users passwd ADMIN --password-stdin', 'a long quiet river');
  assert.deepEqual(
    [stdout, stderr, code],
    [
      'Changed the password of "admin". Its tickets have ended.\n',
      `Removed ${file}: the password in it has been changed.\n`,
      0,
    ],
  );
  assert.ok(!isThere());
});

test('it is removed with the administrator, and when an import sets another password', async (t) => {
  const removed = await afterFirstStart(t);
  await removed.tessera('users remove admin');
  assert.ok(!removed.isThere());
  const imported = await afterFirstStart(t);
  const line = { name: 'admin', administrator: true, passwordHash: '0'.repeat(32), hashIndicator: ['md4'] };
  await imported.tessera('users import - --update --dry-run', JSON.stringify(line));
  assert.ok(imported.isThere());
  await imported.tessera('users import - --update', JSON.stringify(line));
  assert.ok(!imported.isThere());
});

test('a file that never held the password of this store is left alone', async (t) => {
  const { file, isThere, tessera } = await afterFirstStart(t);
  writeFileSync(file, 'the password of another service\n');
  await tessera('users passwd admin --password-stdin', 'a long quiet river');
  assert.ok(isThere());
});

test('a file that cannot be removed is reported, and the password is changed', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('another user has to own the folder: run it as root');
  const { data, file, isThere, tessera } = await afterFirstStart(t);
  chmodSync(file, 0o644);
  chmodSync(data, 0o1777);
  chmodSync(databaseIn(data), 0o666);
  for (const path of [file, data]) chownSync(path, 12_345, 12_345);
  const asOthers = ['setpriv', '--bounding-set=-dac_override,-dac_read_search,-fowner'];
  const ended = await tessera('users passwd admin --password-stdin', 'a long quiet river', asOthers);
  assert.deepEqual(
    [ended.stdout, ended.code],
    ['Changed the password of "admin". Its tickets have ended.\n', 0],
  );
  assert.match(ended.stderr, /initial-password could not be removed: .*: remove it by hand\.\n$/);
  assert.ok(isThere());
  assert.ok(existsSync(join(data, 'tessera.db')));
});
