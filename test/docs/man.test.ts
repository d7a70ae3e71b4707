import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { manualPage } from '../../docs/reference/man.ts';
import { variableOf } from '../../src/core/settings/table.ts';
import { SETTINGS } from '../../src/main/settings.ts';
import { temporaryFolder } from '../service/start.ts';

const isMissing = spawnSync('mandoc', ['-h']).error !== undefined;
const skip =
  isMissing && process.env.TESSERA_TEST_ALL !== '1'
    ? 'there is no mandoc (Debian: apt-get install mandoc); TESSERA_TEST_ALL=1 makes that a failure'
    : false;

/** The text without bold: a terminal is sent each letter of it twice, with a backspace between. */
function plain(text: string): string {
  const parts = text.split('');
  return parts.map((part, at) => (at < parts.length - 1 ? part.slice(0, -1) : part)).join('');
}

test('mandoc reads the manual page without a warning, and shows every command, option and setting', {
  skip,
}, async (t) => {
  const file = join(await temporaryFolder(t), 'tessera.1');
  writeFileSync(file, manualPage());
  const mandoc = (...words: readonly string[]) => spawnSync('mandoc', [...words, file], { encoding: 'utf8' });
  const { stdout: warnings, status } = mandoc('-T', 'lint', '-W', 'warning');
  // The page has no date, so that two builds of one version are equal.
  assert.deepEqual(
    warnings.split('\n').filter((line) => !/missing date|^$/.test(line)),
    [],
  );
  assert.ok(status !== null && status <= 2);
  const shown = plain(mandoc('-T', 'ascii', '-O', 'width=500').stdout);
  for (const part of ['NAME', 'SYNOPSIS', 'COMMANDS', 'SETTINGS', 'EXIT STATUS'])
    assert.match(shown, new RegExp(`^${part}$`, 'm'));
  for (const told of ['users app-passwords add <user> <name>', '--password-stdin', "'tessera doctor'"])
    assert.ok(shown.includes(told), told);
  for (const key of SETTINGS.keys)
    assert.match(shown, new RegExp(`^ +${SETTINGS.flagOf(key)} <\\w+>, ${variableOf(key)}$`, 'm'));
});

test('the package names the manual page in a list, which is what npm links, so that a global installation has it', () => {
  const { man, files } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  assert.deepEqual(man, ['./docs/reference/tessera.1']);
  assert.ok(files.includes('docs/**/*.1'));
});
