import { execFile, execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '../service/start.ts';

const run = promisify(execFile);

/** The commit of the version before, in the history of this checkout. */
const BEFORE = process.env.UPGRADE_FROM ?? 'c5689e8e';
const HERE = fileURLToPath(new URL('../../', import.meta.url));

/** Why the version before cannot be run here; nothing when it can. */
export function whyNoVersionBefore(): string | undefined {
  try {
    execFileSync('git', ['-C', HERE, 'cat-file', '-e', `${BEFORE}^{commit}`], { stdio: 'pipe' });
    return undefined;
  } catch {
    return `the history has no commit ${BEFORE}: fetch all of it, or name the version before in UPGRADE_FROM`;
  }
}

/** The version before in a folder of its own, with the packages of this one. */
export async function versionBefore(t: TestContext): Promise<string> {
  const folder = await temporaryFolder(t);
  const archive = join(folder, 'version.tar');
  await run('git', ['-C', HERE, 'archive', '-o', archive, BEFORE]);
  await run('tar', ['-xf', archive, '-C', folder]);
  symlinkSync(join(HERE, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
