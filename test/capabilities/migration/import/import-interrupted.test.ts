import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { shell } from '../../../faces/cli/command.ts';
import { CTRL_C, onTerminal } from '../../../faces/cli/terminal.ts';
import { temporaryFolder } from '../../../service/start.ts';
import { MD4, ndjson } from './importing.ts';

const USERS = 3_000;

test('an interrupted import shows how far it is, and a second one continues where it stopped', async (t) => {
  const cwd = await temporaryFolder(t);
  const users = Array.from({ length: USERS }, (_, index) => ({ name: `user-${index}`, ...MD4 }));
  writeFileSync(join(cwd, 'users.ndjson'), ndjson(...users));
  // One hash at a time, so that the import takes seconds even on many cores.
  const slow = { TESSERA_HASH_MEMORY: '8192', UV_THREADPOOL_SIZE: '1' };
  const env = { TESSERA_DATA: join(cwd, 'data'), ...slow };
  const first = onTerminal(t, 'tessera users import users.ndjson', { cwd, env });
  await first.until(/\[[#.]{30}\] +\d+ % {2}\d+ users/);
  first.type(CTRL_C);
  await first.ended;
  assert.doesNotMatch(first.screen(), /Added/);
  const again = await shell('tessera users import users.ndjson', {
    cwd,
    env: { TESSERA_DATA: env.TESSERA_DATA },
  });
  const [, added, there] = /^Added (\d+) users\.\nLeft (\d+) users unchanged\.\n$/.exec(again.stdout) ?? [];
  assert.equal(Number(added) + Number(there), USERS, again.stdout + again.stderr);
  assert.ok(Number(there) >= 200 && Number(there) % 200 === 0, again.stdout);
});
