import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve } from '../crash/serve.ts';
import { run } from '../faces/cli/command.ts';
import { PASSWORD, temporaryFolder } from '../service/start.ts';
import { ask, logIn } from '../service/talk.ts';
import { versionBefore, whyNoVersionBefore } from './version-before.ts';

test('the version before serves on from the copy that the migration kept, with its tickets', async (t) => {
  const why = whyNoVersionBefore();
  if (why !== undefined) return t.skip(why);
  const data = await temporaryFolder(t);
  const before = await versionBefore(t);
  const started = async () => {
    const service = serve(t, data, {}, 'ignore', before);
    const url = `${await service.url}/alfresco/service`;
    const stop = async () => {
      service.kill('SIGINT');
      await service.ended;
    };
    return { url, stop };
  };
  const first = await started();
  const ticket = await logIn(first.url, 'admin', PASSWORD);
  await first.stop();

  const env = { TESSERA_DATA: data };
  assert.match((await run('tessera', ['migrate', 'up'], { env })).stdout, /^Migrated: /);
  await assert.rejects(started(), /has schema \d+ and this version knows \d+: run the newer version/);

  const kept = readdirSync(data).find((name) => name.startsWith('tessera.db.schema-')) ?? '';
  const words = ['restore', join(data, kept), '--replace', '--keep-tickets'];
  const restored = await run(join(before, 'bin/tessera'), words, { env });
  assert.equal(restored.code, 0, restored.stderr);
  const { url, stop } = await started();
  assert.equal((await ask(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`)).status, 200);
  await stop();
});
