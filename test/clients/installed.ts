import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the clients of others have a package and a lock of their own. */
export const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const MARK = new URL('node_modules/.installed', import.meta.url);

/** Tells one lock from another. */
const digest = () =>
  createHash('sha256')
    .update(readFileSync(new URL('package-lock.json', import.meta.url)))
    .digest('hex');

/** Notes that what the lock names is installed. */
export function markInstalled(): void {
  writeFileSync(MARK, digest());
}

/** Whether what the lock names is installed. */
export function isInstalled(): boolean {
  return existsSync(MARK) && readFileSync(MARK, 'utf8') === digest();
}

/** Why the clients cannot be run here; nothing when they can. With TESSERA_TEST_ALL=1 that is a failure. */
export function whyNoClients(): string | undefined {
  if (isInstalled()) return undefined;
  const why =
    "clients of others are not installed: run 'npm run clients'; TESSERA_TEST_ALL=1 makes that a failure";
  if (process.env.TESSERA_TEST_ALL === '1') throw new Error(why);
  return why;
}
