import { execFile, execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { whyNoNginx } from '../service/nginx.ts';
import { testsOnOwnPostgres } from '../service/postgres.ts';
import { temporaryFolder } from '../service/start.ts';
import { loadedBehindNginx } from './behind-nginx.ts';
import { SECONDS } from './length.ts';
import { DURABLE } from './on-postgres.ts';

const test = await testsOnOwnPostgres(...DURABLE);
const run = promisify(execFile);

/** The commit of the version before, in the history of this checkout. */
const BEFORE = process.env.UPGRADE_FROM ?? 'c5689e8e';
const HERE = fileURLToPath(new URL('../../', import.meta.url));

/** Why the version before cannot be run here; nothing when it can. */
function whyNoVersionBefore(): string | undefined {
  try {
    execFileSync('git', ['-C', HERE, 'cat-file', '-e', `${BEFORE}^{commit}`], { stdio: 'pipe' });
    return undefined;
  } catch {
    return `the history has no commit ${BEFORE}: fetch all of it, or name the version before in UPGRADE_FROM`;
  }
}

/** The version before in a folder of its own, with the packages of this one. */
async function versionBefore(t: TestContext): Promise<string> {
  const folder = await temporaryFolder(t);
  const archive = join(folder, 'version.tar');
  await run('git', ['-C', HERE, 'archive', '-o', archive, BEFORE]);
  await run('tar', ['-xf', archive, '-C', folder]);
  symlinkSync(join(HERE, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

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
