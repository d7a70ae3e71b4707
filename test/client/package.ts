import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run, shell } from '../faces/cli/command.ts';
import { temporaryFolder } from '../service/start.ts';

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['bin', 'src', 'publish', 'conformance', 'deploy', 'docs'];
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'LICENSE'];
const PAGES = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];
/** The files and folders of a checkout that packages are built from, beside what npm installs. */
export const SOURCES: readonly string[] = [...FOLDERS, ...FILES, ...PAGES];

/** A folder with what the scripts of `package.json` build packages from. */
export async function sourceOfPackages(t: TestContext): Promise<string> {
  const source = await temporaryFolder(t);
  for (const name of SOURCES) cpSync(join(CHECKOUT, name), join(source, name), { recursive: true });
  symlinkSync(join(CHECKOUT, 'node_modules'), join(source, 'node_modules'));
  // As in a checkout where somebody has tried compose.
  mkdirSync(join(source, 'deploy/secrets'), { recursive: true });
  writeFileSync(join(source, 'deploy/secrets/admin-password'), 'a long quiet river\n');
  return source;
}

/** Packs the checkout as its script does, in a folder of its own under this umask. Gives the tarball. */
export async function pack(
  t: TestContext,
  umask = '022',
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const source = await sourceOfPackages(t);
  const packed = await shell(`umask ${umask}; npm run --silent package`, { cwd: source, env });
  if (packed.code !== 0) throw new Error(`npm run package: ${packed.stderr}`);
  return join(source, packed.stdout.trim());
}

/** Packs the checkout, and returns the tarball and a folder with nothing but the unpacked package. */
export async function installed(
  t: TestContext,
): Promise<{ tarball: string; folder: string; tessera: string }> {
  const tarball = await pack(t);
  const folder = await temporaryFolder(t);
  const tessera = join(folder, 'node_modules/tessera');
  mkdirSync(tessera, { recursive: true });
  const unpacked = await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', tessera]);
  if (unpacked.code !== 0) throw new Error(`tar: ${unpacked.stderr}`);
  return { tarball, folder, tessera };
}

/** Links the packages that the server needs, as an installation would. */
export function addDependencies(folder: string): void {
  const from = join(CHECKOUT, 'node_modules');
  for (const name of readdirSync(from).filter((entry) => !entry.startsWith('.') && entry !== 'tessera'))
    symlinkSync(join(from, name), join(folder, 'node_modules', name));
}

/** The compiler of the checkout. */
export const TSC = join(CHECKOUT, 'node_modules/.bin/tsc');
