import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { readonly version: string };
/** Debian's names of the architectures. A package of another one was built elsewhere, perhaps from another commit. */
const DEBIAN: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
const digestOf = (name: string) =>
  createHash('sha256')
    .update(readFileSync(ROOT + name))
    .digest('hex');
const git = (...words: string[]) => execFileSync('git', ['-C', ROOT, ...words], { encoding: 'utf8' }).trim();

/** The packages of this version that a release builds in the checkout. */
const packages = readdirSync(ROOT).filter(
  (name) => name === `tessera-${version}.tgz` || name === `tessera_${version}_${DEBIAN[process.arch]}.deb`,
);
if (packages.length === 0)
  throw new Error(`no package of ${version} is here: run 'npm run package' and 'npm run deb'`);
const changes = git('status', '--porcelain', '--untracked-files=all');
if (changes !== '')
  throw new Error(`a statement names a commit, and the checkout differs from it:\n${changes}`);

/** What the packages were built from: a statement of SLSA 1.0 (https://slsa.dev/spec/v1.0/provenance), which nobody signed. */
const statement = {
  _type: 'https://in-toto.io/Statement/v1',
  subject: packages.map((name) => ({ name, digest: { sha256: digestOf(name) } })),
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      buildType: 'urn:tessera:npm-scripts:v1',
      externalParameters: { commands: ['npm ci', 'npm run package', 'npm run deb'] },
      internalParameters: { node: process.version, architecture: process.arch },
      resolvedDependencies: [
        { name: 'sources', digest: { gitCommit: git('rev-parse', 'HEAD') } },
        { name: 'package-lock.json', digest: { sha256: digestOf('package-lock.json') } },
      ],
    },
    runDetails: { builder: { id: 'urn:tessera:a-checkout' } },
  },
};
const file = `tessera-${version}.provenance.json`;
writeFileSync(ROOT + file, `${JSON.stringify(statement, undefined, 2)}\n`);
process.stdout.write(`${file}\n`);
