import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../faces/cli/command.ts';
import { temporaryFolder } from '../service/start.ts';

const SCRIPT = fileURLToPath(new URL('../../publish/release.ts', import.meta.url));
const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));

test('a release is refused until its security address and its section of the changelog are there', async (t) => {
  const folder = await temporaryFolder(t);
  for (const name of ['publish', 'deploy/debian']) mkdirSync(join(folder, name), { recursive: true });
  copyFileSync(SCRIPT, join(folder, 'publish/release.ts'));
  for (const name of ['package.json', 'SECURITY.md', 'deploy/debian/control'])
    copyFileSync(join(CHECKOUT, name), join(folder, name));
  writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## [Unreleased]\n');
  const { version } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8'));
  const check = () => run('node', ['publish/release.ts'], { cwd: folder });

  const early = await check();
  assert.equal(early.code, 1);
  assert.deepEqual(early.stderr.split('\n').filter(Boolean), [
    'SECURITY.md still has the placeholder <SECURITY ADDRESS>: put what it names in its place',
    'deploy/debian/control still has the placeholder <SECURITY ADDRESS>: put what it names in its place',
    `CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD": give the unreleased section this heading`,
  ]);

  writeFileSync(join(folder, 'deploy/debian/control'), 'Maintainer: Us <security@example.org>\n');
  writeFileSync(join(folder, 'SECURITY.md'), 'Report it privately to security@example.org.\n');
  writeFileSync(join(folder, 'CHANGELOG.md'), `# Changelog\n\n## [${version}] - 2026-12-01\n`);
  assert.deepEqual(await check(), { stdout: '', stderr: '', code: 0 });
});
