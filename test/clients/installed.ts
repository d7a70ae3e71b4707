import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const pathOf = (folder: string) => fileURLToPath(new URL(folder, import.meta.url));

/** Where the clients of others have a package and a lock of their own. */
export const CLIENTS = pathOf('.');
/** Likewise an application of ADF, which its test builds. */
export const ADF = pathOf('adf/');
/** Likewise the checker of the model. */
export const MODEL = pathOf('../../model/');

const markIn = (folder: string) => join(folder, 'node_modules/.installed');

/** Tells one lock from another. */
const digest = (folder: string) =>
  createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');

/** Notes that what the lock of the folder names is installed. */
export function markInstalled(folder: string): void {
  writeFileSync(markIn(folder), digest(folder));
}

/** Whether what the lock of the folder names is installed. */
export function isInstalled(folder: string): boolean {
  return existsSync(markIn(folder)) && readFileSync(markIn(folder), 'utf8') === digest(folder);
}

/** Why what the folder's lock names cannot be used here; undefined if it can. With TESSERA_TEST_ALL=1 that is a failure. */
function whyNot(folder: string, what: string): string | undefined {
  if (isInstalled(folder)) return undefined;
  const why = `${what} not installed: run 'npm run clients'; TESSERA_TEST_ALL=1 makes that a failure`;
  if (process.env.TESSERA_TEST_ALL === '1') throw new Error(why);
  return why;
}

/** Why the clients cannot be run here; undefined if they can. */
export const whyNoClients = () => whyNot(CLIENTS, 'clients of others are');
/** Why the application of ADF cannot be built here; undefined if it can. */
export const whyNoAdf = () => whyNot(ADF, 'the packages of an application of ADF are');
/** Why the model cannot be checked here; undefined if it can. */
export const whyNoModel = () => whyNot(MODEL, 'the checker of the model is');
