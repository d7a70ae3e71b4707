import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { visible, visibleLines } from '../../../src/core/visible.ts';
import { temporaryFolder } from '../../service/start.ts';
import { run } from './command.ts';

/** Clears the screen, sets the title, reverses the text direction, and starts a new line. */
const STEERING = '\x1b[2J\x1b]0;title\x07\x9b31m\x7f\r\u202e\u2028\nforged';
const ESCAPED = String.raw`\u001b[2J\u001b]0;title\u0007\u009b31m\u007f\u000d\u202e\u2028\u000aforged`;

test('control characters are shown escaped, and every other character as it is', () => {
  assert.equal(visible(STEERING), ESCAPED);
  assert.equal(visibleLines('a\x1b\nb'), 'a\\u001b\nb');
  const plain = 'Zo\u00eb \u05d0\u05d1 \u{1f469}\u200d\u{1f4bb} \\ "x"';
  assert.equal(visible(plain), plain);
});

/** Commands that refuse this text, and the environment, if the text is given there. */
const REFUSED: Readonly<Record<string, readonly [readonly string[], Record<string, string>?]>> = {
  'a command that there is not': [[STEERING]],
  'a command below another': [['users', STEERING]],
  'a flag that there is not': [['users', 'list', `--${STEERING}`]],
  'a flag that there is not, with a value': [['users', 'list', `--${STEERING}=x`]],
  'a flag that is like one': [['users', 'list', `--jso${STEERING}`]],
  'a choice that there is not': [['users', 'import', '-', '--format', STEERING]],
  'the name of a user that there is not': [['users', 'disable', STEERING]],
  'the name of a new user': [['users', 'add', STEERING, '--no-password']],
  'the name of a new client': [['clients', 'add', STEERING]],
  'a time': [['events', '--since', STEERING]],
  'the user whose events are asked for': [['events', '--user', STEERING]],
  'a node': [['nodes', 'show', STEERING]],
  'a definition': [['definitions', 'show', STEERING]],
  'a document': [['definitions', 'check', STEERING]],
  'a setting by its flag': [['users', 'list', '--password-length', STEERING]],
  'a setting in the environment': [['users', 'list'], { TESSERA_TICKET_IDLE: STEERING }],
  'the name of the settings file': [['users', 'list', '--config', STEERING]],
  'a data folder': [['users', 'list', '--data', STEERING]],
  'a data folder to serve from': [['serve', '--data', `/dev/null/${STEERING}`, '--port', '0']],
  'a file to import': [['users', 'import', STEERING]],
  'a backup': [['restore', STEERING]],
  'the address of a server': [['conformance', STEERING, '--user', 'x', '--password-stdin']],
  'the place of a copy': [['copy', '--from', `sqlite:${STEERING}`, '--to', 'sqlite:b']],
};

const STEERS = /[^\P{Cc}\n]|\u202e|\u2028/u;

test('no control character of what is refused reaches the terminal, and no line is forged', async (t) => {
  const data = await temporaryFolder(t);
  await run('tessera', ['users', 'add', 'ana', '--no-password', '--data', data]);
  for (const [what, [words, more = {}]] of Object.entries(REFUSED)) {
    const env = { TESSERA_DATA: data, ...more };
    const { stdout, stderr } = await run('tessera', words, { cwd: data, env });
    assert.notEqual(stderr, '', what);
    assert.doesNotMatch(stdout + stderr, STEERS, what);
    assert.doesNotMatch(stdout + stderr, /^forged/m, what);
  }
});

test('a settings file and a document are shown without the control characters in them', async (t) => {
  const data = await temporaryFolder(t);
  writeFileSync(join(data, 'settings.json'), JSON.stringify({ [STEERING]: 1, port: STEERING }));
  const settings = await run('tessera', ['users', 'list', '--config', 'settings.json'], { cwd: data });
  assert.equal(settings.code, 2);
  assert.ok(settings.stderr.includes(`there is no setting "${ESCAPED}"`));
  assert.ok(settings.stderr.includes(`"${ESCAPED}" is no port`));
  const folder = join(data, 'definitions\x1b');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.json'), '{}');
  const checked = await run('tessera', ['definitions', 'check', folder], { cwd: data });
  assert.equal(checked.code, 1);
  assert.match(checked.stderr, /definitions\\u001b/);
  assert.doesNotMatch(checked.stderr, STEERS);
});

test('a backup into a file of such a name says where it is', async (t) => {
  const data = await temporaryFolder(t);
  const env = { TESSERA_DATA: data };
  await run('tessera', ['users', 'add', 'ana', '--no-password'], { env });
  const { stdout, code } = await run('tessera', ['backup', join(data, 'x\x1b[31m.db')], { env });
  assert.equal(code, 0);
  assert.match(stdout, /^Wrote .*x\\u001b\[31m\.db and/);
});
