import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { databaseIn } from '../../src/storage/sqlite/data-folder.ts';
import { temporaryFolder } from '../service/start.ts';
import { run, tesseraOn } from './command.ts';

// Root reads every file: without these two capabilities it reads what its modes let it read, as others do.
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
