import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW } from '../../../core/storage/conformance/samples.ts';
import { run } from '../../../faces/cli/command.ts';
import { temporaryFolder } from '../../../service/start.ts';
import { openSqlite } from '../../../service/stores.ts';

const MANY = 100_000;

test('events that do not fit into memory are all listed, oldest first', async (t) => {
  const data = await temporaryFolder(t);
  const store = openSqlite(data);
  await store.write(async ({ events }) => {
    for (let n = 0; n < MANY; n++)
      await events.append({ at: NOW, kind: 'login', user: 'ada', reason: `${n}` });
  });
  await store.close();
  const env = { TESSERA_DATA: data, NODE_OPTIONS: '--max-old-space-size=32' };
  const { stdout, stderr, code } = await run('tessera', ['events', '--json'], { env });
  assert.deepEqual([stderr, code], ['', 0]);
  const listed = (JSON.parse(stdout) as { reason: string }[]).map(({ reason }) => Number(reason));
  assert.deepEqual(listed, Array.from(listed.keys()));
  assert.equal(listed.length, MANY);
});
