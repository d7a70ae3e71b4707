import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inCheckout } from '../servers.ts';

const FOLDER = inCheckout('bench/peers');
const MARK = join(FOLDER, 'node_modules/.installed');
const DEADLINE = 600_000;

/** Tells one lock from another. */
const digest = () =>
  createHash('sha256')
    .update(readFileSync(join(FOLDER, 'package-lock.json')))
    .digest('hex');

/**
 * Installs the services of others as their lock names them, where they are not yet: apart from the product's packages,
 * and without running a script of theirs. Throws when that does not work.
 */
export function installPeers(say: (progress: string) => void): void {
  if (existsSync(MARK) && readFileSync(MARK, 'utf8') === digest()) return;
  say('installing the services of others into bench/peers');
  const stdio = ['ignore', 'inherit', 'inherit'] as const;
  const words = ['ci', '--prefix', FOLDER, '--silent', '--ignore-scripts'];
  const { status } = spawnSync('npm', words, { stdio: [...stdio], timeout: DEADLINE });
  if (status !== 0) throw new Error(`npm ci in ${FOLDER} ended with ${status}`);
  writeFileSync(MARK, digest());
}

/** The version of a package that is installed there. */
export function versionOf(name: string): string {
  const text = readFileSync(join(FOLDER, 'node_modules', name, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
