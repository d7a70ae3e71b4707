import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { databaseIn } from '../../../src/engines/sqlite/data-folder.ts';
import { temporaryFolder } from '../../service/start.ts';
import { run, tesseraOn } from './command.ts';

// Root may read every file. Without these two capabilities file modes apply to it too.
const asOthers =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : ['env'];

test('a database that another user alone may read is refused to every command as that', async (t) => {
  const data = await temporaryFolder(t);
  await tesseraOn(data)('users add ana --no-password');
  chmodSync(databaseIn(data), 0);
  const mend =
    'it is not writable: make it so for the service, and run commands as the user that the service runs as';
  const [program = '', ...words] = asOthers;
  const from = ['copy', '--from', `sqlite:${data}`, '--to', `sqlite:${join(data, 'new')}`];
  for (const command of [
    ['users', 'list'],
    ['migrate', 'status'],
    ['backup', join(data, 'saved.db')],
    from,
  ]) {
    const ended = await run(program, [...words, 'tessera', ...command], { env: { TESSERA_DATA: data } });
    assert.deepEqual([ended.stderr, ended.code], [`cannot use the data folder ${data}: ${mend}\n`, 1]);
  }
});

test('a data folder of another user is refused to each command as that, with both users', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('another user has to run the command: run it as root');
  const data = await temporaryFolder(t);
  await tesseraOn(data)('users add ana --no-password');
  chownSync(data, 54321, 54321);
  chownSync(databaseIn(data), 54321, 54321);
  const why =
    'it belongs to the user with the id 54321, and this runs as 0: run the service and its commands as one user, or give it to that user (chown -R)';
  const [program = '', ...words] = asOthers;
  for (const command of ['users list', 'doctor', 'serve --port 0 --metrics-port 0']) {
    const env = { TESSERA_DATA: data };
    const ended = await run(program, [...words, 'tessera', ...command.split(' ')], { env });
    assert.equal(ended.code, 1, command);
    assert.ok((ended.stdout + ended.stderr).includes(`cannot use the data folder ${data}: ${why}`), command);
  }
});

test('a file of a secret that another user alone may read is refused with its path', async (t) => {
  const file = join(await temporaryFolder(t), 'secret');
  writeFileSync(file, 'secret', { mode: 0 });
  const [program = '', ...words] = asOthers;
  const env = { TESSERA_NODES_PASSWORD_FILE: file };
  const { stderr } = await run(program, [...words, 'tessera', 'settings'], { env });
  assert.ok(
    stderr.includes(`TESSERA_NODES_PASSWORD_FILE: the file ${file} cannot be read (EACCES): name`),
    stderr,
  );
});

test('a backup that another user alone may read, or whose folder that one alone may enter, is refused as that', async (t) => {
  const [data, folder] = [await temporaryFolder(t), await temporaryFolder(t)];
  await tesseraOn(data)('users add ana --no-password');
  const closed = join(folder, 'closed');
  mkdirSync(closed);
  const files = [join(folder, 'saved.db'), join(closed, 'saved.db')];
  for (const file of files) await tesseraOn(data)(`backup '${file}'`);
  chmodSync(join(folder, 'saved.db'), 0);
  chmodSync(closed, 0);
  const mend =
    'it, or a folder above it, is closed to the user that this runs as: open it to that user, or run this as another';
  const [program = '', ...words] = asOthers;
  for (const command of [...files.map((file) => ['restore', file]), ['backup', join(closed, 'new.db')]]) {
    const ended = await run(program, [...words, 'tessera', ...command], { env: { TESSERA_DATA: data } });
    assert.deepEqual([ended.stderr, ended.code], [`cannot use the file ${command[1]}: ${mend}\n`, 1]);
  }
});

test('an event names a system user without a name by its number, as in a container', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('another user has to run the command: run it as root');
  const data = await temporaryFolder(t);
  chownSync(data, 54321, 54321);
  const capabilities = '+dac_override,+dac_read_search';
  const nameless = ['--reuid=54321', `--inh-caps=${capabilities}`, `--ambient-caps=${capabilities}`];
  const env = { TESSERA_DATA: data };
  const { stderr, code } = await run('setpriv', [...nameless, 'tessera', 'groups', 'add', 'staff'], { env });
  assert.deepEqual([stderr, code], ['', 0]);
  const [event] = JSON.parse(await tesseraOn(data)('events --json'));
  assert.deepEqual([event.event, event.actor], ['group-added', 'uid 54321']);
});
