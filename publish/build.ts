import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { placeOf, UNTRACKED } from '../docs/generate.ts';
import { writeSite } from '../docs/site/site.ts';
import { setModes } from './modes.ts';
import { noticesOf } from './notices.ts';
import { billOfMaterials } from './sbom.ts';
import { type Manifest, shrinkwrapOf } from './shrinkwrap.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PACKAGE = join(ROOT, 'package');
const DIST = join(PACKAGE, 'dist');
/** Secrets of whoever tried the compose file in this checkout (deploy/README.md). */
const SECRETS = join(ROOT, 'deploy/secrets');
/** The conformance package: its cases and its README as they are, its player compiled. */
const PLAYER = 'conformance/player';
/** The site of the documents. */
const SITE = 'docs/html';

/** The declarations of the client, without its shapes. */
const CLIENT = ['admin', 'client', 'event-stream', 'failures', 'send'];
/** The shapes. Their declarations come from the files of the same name here. */
const SHAPES = ['admin-shapes', 'shapes'];

/** Compiles without a check: `npm run types` has checked the same files. */
function tsc(...words: string[]): void {
  const compiler = join(ROOT, 'node_modules/.bin/tsc');
  execFileSync(compiler, ['--noCheck', '--checkers', '1', ...words], { cwd: ROOT, stdio: 'inherit' });
}

/** Turns the declaration of a constant into a type of that name. The codes are the names of its members. */
function asType(_: string, name: string): string {
  const type = `export type ${name.charAt(0).toUpperCase()}${name.slice(1)} = `;
  return name === 'code' ? `${type}keyof ` : type;
}

/** Writes the client's declarations. They import nothing else: no other file, no package, nothing of Node. */
function declareClient(): void {
  const made = mkdtempSync(join(tmpdir(), 'tessera-declarations-'));
  const only = ['--declaration', '--emitDeclarationOnly', '--rootDir', ROOT, '--outDir', made];
  tsc('-p', 'publish/declarations.json', ...only);
  const declaration = (file: string) => readFileSync(join(made, `${file}.d.ts`), 'utf8');
  const write = (file: string, text: string) =>
    writeFileSync(join(DIST, 'client', `${file}.d.ts`), text.replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
  for (const file of CLIENT) write(file, declaration(`src/client/${file}`));
  for (const file of SHAPES)
    write(file, declaration(`publish/${file}`).replace(/^export declare const (\w+): /gm, asType));
  rmSync(made, { recursive: true });
}

function copy(name: string): void {
  const left = [SECRETS, join(ROOT, PLAYER), join(ROOT, SITE)];
  cpSync(join(ROOT, name), join(PACKAGE, name), { recursive: true, filter: (from) => !left.includes(from) });
}

/** Compiles `src/` to `dist/`, and the player to where `dist/` finds it. */
function compile(): void {
  tsc('-p', 'publish/tsconfig.json');
  const compiled = join(PACKAGE, 'compiled');
  renameSync(join(compiled, 'src'), DIST);
  cpSync(join(compiled, PLAYER), join(PACKAGE, PLAYER), { recursive: true });
  rmSync(compiled, { recursive: true });
  cpSync(join(ROOT, 'src'), DIST, { recursive: true, filter: (from) => !/\.(ts|md)$/.test(from) });
}

/**
 * The `package.json` of the published package: that of the checkout without scripts, development packages and the Node of the
 * checkout, which npm would otherwise run in place of the user's Node.
 */
function manifestOf(checkout: Manifest): Manifest {
  const { scripts, devDependencies, optionalDependencies, ...rest } = checkout;
  return rest;
}

const json = <T>(name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8')) as T;
const write = (name: string, text: string) => writeFileSync(join(PACKAGE, name), text);

/** Writes the manifest of the package, its lock, its bill of materials and the notices of other people's code. */
function describe(): void {
  const manifest = manifestOf(json('package.json'));
  const lock = shrinkwrapOf(json('package-lock.json'), manifest);
  write('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  write('npm-shrinkwrap.json', `${JSON.stringify(lock, null, 2)}\n`);
  write('sbom.cdx.json', billOfMaterials(PACKAGE, manifest));
  write('THIRD-PARTY-NOTICES.md', noticesOf(lock, ROOT));
}

/** Makes `package/`, the folder that is packed. The code is compiled, since Node runs no TypeScript in a package. */
rmSync(PACKAGE, { recursive: true, force: true });
compile();
declareClient();
for (const name of ['bin', 'conformance', 'deploy', 'docs']) copy(name);
const packedDocs = pathToFileURL(join(PACKAGE, 'docs/'));
for (const [file, page] of Object.entries(UNTRACKED)) writeFileSync(placeOf(file, packedDocs), page());
writeSite(join(PACKAGE, SITE));
for (const name of ['README', 'ARCHITECTURE', 'CHANGELOG', 'CONTRIBUTING', 'SECURITY']) copy(`${name}.md`);
copy('LICENSE');
describe();
setModes(PACKAGE);
