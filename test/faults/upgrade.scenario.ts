import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { whyNoNginx } from '../service/nginx.ts';
import { testsOnOwnPostgres } from '../service/postgres.ts';
import { versionBefore, whyNoVersionBefore } from '../upgrades/version-before.ts';
import { loadedBehindNginx } from './behind-nginx.ts';
import { SECONDS } from './length.ts';
import { DURABLE } from './on-postgres.ts';

const test = await testsOnOwnPostgres(...DURABLE);
const run = promisify(execFile);
const HERE = fileURLToPath(new URL('../../', import.meta.url));

test('the version before is replaced under load, and no request fails', async (t, server) => {
  const why = whyNoNginx() ?? whyNoVersionBefore();
  if (why !== undefined) return t.skip(why);
  const database = await server.freshDatabase();
  const before = await versionBefore(t);
  const together = (SECONDS * 1_000) / 3;
  await loadedBehindNginx(
    t,
    database,
    {},
    async ([first, second], settings) => {
      await pause(together);
      const env = { PATH: process.env.PATH, ...settings };
      const { stdout } = await run(join(HERE, 'bin/tessera'), ['migrate', 'up'], { env });
      t.diagnostic(`migrated: ${stdout.trim().replaceAll('\n', '; ')}`);
      await pause(together);
      await first?.stop();
      await first?.start();
      await pause(together);
      await second?.stop();
      await second?.start();
    },
    before,
  );
});
