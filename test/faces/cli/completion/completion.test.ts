import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { commandLine } from '../../../capabilities/action-definitions/nodes/command-line.ts';
import { temporaryFolder } from '../../../service/start.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** How each shell is asked for what it offers behind a line, of which the last word is begun. It prints one on each line. */
const ASKED: Readonly<Record<Shell, (script: string, words: readonly string[]) => readonly string[]>> = {
  bash: (script, words) => [
    '--norc',
    '-c',
    `source ${script}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tessera; printf '%s\\n' "\${COMPREPLY[@]}"`,
    'bash',
    // Readline splits words at an equals sign.
    ...words.flatMap((word) => word.split(/(=)/)),
  ],
  // Only within its line editor has zsh these functions.
  zsh: (script, words) => [
    '-f',
    '-c',
    `compdef() { :; }; _describe() { print -rl -- \${\${(P)2}%%:*}; }; compadd() { shift; print -l $@; }; _files() { print -l *; }
     compset() { words[CURRENT]=\${words[CURRENT]#*=}; }; source ${script}; words=("$@"); CURRENT=$#; _tessera`,
    'zsh',
    ...words,
  ],
  fish: (script, words) => [
    '--no-config',
    '-c',
    `source ${script}; complete -C "$argv" | string replace -r '\\t.*' ''`,
    words.join(' '),
  ],
};

const scripts: Partial<Record<Shell, string>> = {};

before(async () => {
  for (const shell of SHELLS) {
    const { stdout, code } = await commandLine(['completion', shell], {
      TESSERA_FOO: 'the settings do not matter',
    });
    assert.equal(code, 0);
    scripts[shell] = stdout;
  }
});

/** What this shell offers behind each line, those alone that begin with its last word. */
async function offeringOf(t: TestContext, shell: Shell) {
  const folder = await temporaryFolder(t);
  const script = join(folder, 'script');
  writeFileSync(script, scripts[shell] as string);
  return (line: string) => {
    const words = line.split(' ');
    const { stdout, stderr } = spawnSync(shell, ASKED[shell](script, words), {
      cwd: folder,
      encoding: 'utf8',
    });
    assert.equal(stderr, '', `${shell}: ${line}`);
    const last = words.at(-1)?.replace(/^--[^=]+=/, '') ?? '';
    const offered = stdout.split('\n').map((each) => each.replace(/^--[^=]+=/, ''));
    return offered.filter((each) => each !== '' && each.startsWith(last)).sort();
  };
}

for (const shell of SHELLS) {
  const isMissing = spawnSync(shell, ['--version']).error !== undefined;
  const why = `there is no ${shell} (Debian: apt-get install ${shell}); TESSERA_TEST_ALL=1 makes that a failure`;
  const skip = isMissing && process.env.TESSERA_TEST_ALL !== '1' ? why : false;

  test(`${shell} completes commands, options, words and files`, { skip }, async (t) => {
    const offered = await offeringOf(t, shell);
    assert.deepEqual(offered('tessera us'), ['users']);
    assert.deepEqual(offered('tessera --server https://host ti'), ['tickets']);
    assert.deepEqual(offered('tessera users ad'), ['add']);
    assert.deepEqual(offered('tessera users --data d app-passwords '), ['add', 'help', 'list', 'remove']);
    assert.deepEqual(offered('tessera help mig'), ['migrate']);
    assert.deepEqual(offered('tessera users add --adm'), ['--admin']);
    assert.deepEqual(offered('tessera serve --log-level '), ['debug', 'error', 'info', 'silent', 'warn']);
    assert.deepEqual(offered('tessera serve --log-level=wa'), ['warn']);
    assert.deepEqual(offered('tessera api-keys add deploy --role op'), ['operator']);
    assert.deepEqual(offered('tessera completion '), ['bash', 'fish', 'zsh']);
    assert.deepEqual(offered('tessera users import scr'), ['script']);
    assert.deepEqual(offered('tessera serve --tls-cert scr'), ['script']);
    assert.deepEqual(offered('tessera serve --port '), []);
  });
}

test('an unknown shell is refused, and the known ones are named', async () => {
  const { stderr, code } = await commandLine(['completion', 'tcsh'], {});
  assert.match(stderr, /Allowed choices are bash, zsh, fish/);
  assert.equal(code, 2);
});
