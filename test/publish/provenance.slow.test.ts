import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run, shell } from '../faces/cli/command.ts';
import { temporaryFolder } from '../service/start.ts';

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = readFileSync(join(CHECKOUT, 'docs/how-to/check-what-you-install.md'), 'utf8');
/** The lines of the page that sign a statement, verify it, and check the packages by it. */
const LINES = [...PAGE.matchAll(/^(?:ssh-keygen -Y|jq -r '\.subject).*$/gm)].map(([line]) => line);

test('a release names what it was built from, and its page signs and verifies that', async (t) => {
  const folder = await temporaryFolder(t);
  mkdirSync(join(folder, 'publish'));
  for (const name of ['publish/provenance.ts', 'package.json', 'package-lock.json'])
    cpSync(join(CHECKOUT, name), join(folder, name));
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  writeFileSync(join(folder, '.gitignore'), 'tessera*\n*.key\nsigners\n');
  writeFileSync(join(folder, `tessera-${version}.tgz`), 'a package');
  const env = { GIT_CONFIG_GLOBAL: '/dev/null', HOME: folder };
  const make = () => run('node', ['publish/provenance.ts'], { cwd: folder, env });
  const commit =
    'git init -q && git add -A && git -c user.name=a -c user.email=a@example.org commit -qm first && git rev-parse HEAD';
  const head = (await shell(commit, { cwd: folder, env })).stdout.trim();

  const { stdout, code } = await make();
  assert.deepEqual([stdout, code], [`tessera-${version}.provenance.json\n`, 0]);
  const statement = JSON.parse(readFileSync(join(folder, stdout.trim()), 'utf8'));
  assert.equal(statement.predicate.buildDefinition.resolvedDependencies[0].digest.gitCommit, head);
  assert.deepEqual(
    statement.subject.map(({ name }: { name: string }) => name),
    [`tessera-${version}.tgz`],
  );

  assert.equal(LINES.length, 3);
  const keys = `ssh-keygen -q -t ed25519 -N '' -f a.key && echo "releases@example.org $(cat a.key.pub)" > signers`;
  const [sign = '', verify = '', check = ''] = LINES.map((line) =>
    line.replace('~/.ssh/id_ed25519', 'a.key'),
  );
  const played = await shell(`${keys} && ${sign} && ${verify} && ${check}`, { cwd: folder, env });
  assert.equal(played.code, 0, played.stderr);
  assert.match(played.stdout, /^Good "tessera" signature for releases@example\.org .*\n.*\.tgz: OK\n$/s);

  writeFileSync(join(folder, `tessera-${version}.tgz`), 'another package');
  assert.equal((await shell(check, { cwd: folder, env })).code, 1);
  writeFileSync(join(folder, 'publish/added.ts'), '');
  const added = await make();
  assert.match(added.stderr, /\?\? publish\/added\.ts/);
  assert.equal(added.code, 1);
  writeFileSync(join(folder, 'package-lock.json'), '{}');
  const dirty = await make();
  assert.match(dirty.stderr, /the checkout differs from it:\nM package-lock\.json|M package-lock\.json/);
  assert.equal(dirty.code, 1);
});
