import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { SettingsFaulty } from '../../src/core/settings/read.ts';
import { exitCodeOf } from '../../src/faces/cli/failure.ts';
import { temporaryFolder } from '../service/start.ts';
import { DEPLOY, settingsIn, textOf } from './files.ts';

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const TOOL = '/usr/bin/systemd-analyze';
/** Of 10: what systemd calls "OK" ends at 2.9 or so. */
const EXPOSURE = 2;
const run = promisify(execFile);

/** Why the unit cannot be checked here; with TESSERA_TEST_ALL=1 that is a failure. */
function whyNot(): string | undefined {
  if (existsSync(TOOL)) return undefined;
  const why = `no ${TOOL} (Debian: apt-get install systemd); TESSERA_TEST_ALL=1 makes that a failure`;
  if (process.env.TESSERA_TEST_ALL === '1') throw new Error(why);
  return why;
}

/** The units, as for a link to this checkout: a path with a space, as that of the temporary folders may have one, too. */
async function unitHere(t: TestContext, name = 'tessera.service'): Promise<string> {
  const folder = await temporaryFolder(t);
  const link = join(folder, 'the link');
  symlinkSync(CHECKOUT, link);
  // To systemd a % that stands alone is a specifier.
  const [path, url] = [link, pathToFileURL(link).href].map((text) => text.replaceAll('%', '%%'));
  for (const unit of ['tessera.service', 'tessera.socket']) {
    const text = textOf(unit)
      .replaceAll('file:///opt/tessera/', () => `${url}/`)
      .replaceAll(/=\/opt\/tessera\/(\S+)/g, (_all, program) => `="${path}/${program}"`);
    writeFileSync(join(folder, unit), text);
  }
  return join(folder, name);
}

test('the systemd units have no fault that systemd knows', async (t) => {
  const why = whyNot();
  if (why !== undefined) return t.skip(why);
  for (const name of ['tessera.service', 'tessera.socket']) {
    const words = ['verify', '--recursive-errors=no', '--man=no', await unitHere(t, name)];
    const { stdout, stderr } = await run(TOOL, words);
    assert.equal(stdout + stderr, '', name);
  }
});

test('the socket of systemd is at the path that the page of proxies has, with the rights that the service gives its own', async (t) => {
  const socket = textOf('tessera.socket');
  const [, path = ''] = /^ListenStream=(\S+)$/m.exec(socket) ?? [];
  assert.ok(textOf('../docs/how-to/behind-a-proxy.md').includes(`server unix:${path};`), path);
  const [, mode = ''] = /^SocketMode=(\d+)$/m.exec(socket) ?? [];
  assert.equal(Number.parseInt(mode, 8), (await settingsIn(t, {}, {})).socketMode);
  assert.match(socket, /^Accept=no$/m);
});

test('the systemd unit leaves the service few rights', async (t) => {
  const why = whyNot();
  if (why !== undefined) return t.skip(why);
  const words = [
    'security',
    '--offline=true',
    `--threshold=${EXPOSURE * 10}`,
    '--no-pager',
    await unitHere(t),
  ];
  const { stdout } = await run(TOOL, words);
  assert.match(stdout, /Overall exposure level for tessera\.service: [01]\.\d/);
});

test('systemd starts the service once the clock is right, where it can tell', () => {
  assert.match(textOf('tessera.service'), /^After=.*\btime-sync\.target\b/m);
});

test('systemd starts the service again for as long as it fails, but for faulty settings', () => {
  const unit = textOf('tessera.service');
  assert.match(unit, /^StartLimitIntervalSec=0$/m);
  const given = Number(/^RestartPreventExitStatus=(\d+)$/m.exec(unit)?.[1]);
  assert.equal(given, exitCodeOf(new SettingsFaulty(['TESSERA_PORT: "x" is no port'])));
});

test('what is installed is linked where the unit runs it, and a newer version beside it', () => {
  const [, folder] =
    /^ExecStart=(\S+)\/bin\/tessera serve$/m.exec(textOf('tessera.service')) ?? assert.fail();
  for (const page of ['README.md', '../docs/how-to/newer-version.md']) {
    const [, filled, linked, link] =
      /^ *tar -xzf \S+ -C (\S+) [^`]*?npm ci[^`]*?^ *ln -\w+ (\S+) (\S+)/ms.exec(textOf(page)) ?? [];
    assert.deepEqual([linked, link], [filled, folder], page);
  }
});

test('a newer version brings its own unit and command line', () => {
  const copied = (page: string) =>
    [...textOf(page).matchAll(/^ *(?:cp|install -m 0755) \/opt\/tessera\/deploy\/(tessera\S*) (\S+)/gm)].map(
      ([, file, to]) => [file, to],
    );
  assert.equal(copied('README.md').length, 2);
  assert.deepEqual(copied('../docs/how-to/newer-version.md'), copied('README.md'));
});

test('the version that runs is stopped for a newer one only once that has its packages', async (t) => {
  const folder = await temporaryFolder(t);
  for (const [name, status] of Object.entries({ install: 0, tar: 0, npm: 1, systemctl: 0, ln: 0, cp: 0 })) {
    const stub = `#!/bin/sh\necho ${name} >> '${folder}/notes'\nexit ${status}\n`;
    writeFileSync(join(folder, name), stub, { mode: 0o755 });
  }
  const [, block = ''] =
    /^```sh\n(install -d .*?)^```$/ms.exec(textOf('../docs/how-to/newer-version.md')) ?? assert.fail();
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const at = block.replaceAll('/opt/tessera-1.1.0', `'${folder}'`);
  await assert.rejects(run('sh', ['-c', at], { cwd: folder, env }));
  assert.equal(readFileSync(join(folder, 'notes'), 'utf8'), 'install\ntar\nnpm\n');
});

test('the journal takes a line for each request', () => {
  assert.match(textOf('tessera.service'), /^LogRateLimitIntervalSec=0$/m);
});

test('a crash leaves no copy of the memory, which holds passwords and tickets', () => {
  assert.match(textOf('tessera.service'), /^LimitCORE=0$/m);
});

test('the settings that are written for the unit are such, where the unit reads them', async (t) => {
  const [, line = '', file = ''] =
    /printf '(.*)\\n' \|\n.* \/dev\/stdin (\S+)$/m.exec(textOf('README.md')) ?? [];
  assert.ok(textOf('tessera.service').includes(`\nEnvironmentFile=-${file}\n`), file);
  const written = Object.fromEntries(line.split('\\n').map((one) => one.split('=') as [string, string]));
  const { trustedProxies, hosts } = await settingsIn(t, written, {});
  assert.deepEqual(trustedProxies, ['127.0.0.1']);
  assert.deepEqual(hosts, ['tessera.example.org', 'localhost', '127.0.0.1']);
});

test('systemd waits longer for the service than the service for its requests', async (t) => {
  const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(textOf('tessera.service'))?.[1]);
  assert.ok(seconds * 1_000 > (await settingsIn(t, {}, {})).stopDeadline);
});

test("a key that is put back is the user's of the unit, where the unit looks for it", () => {
  const unit = textOf('tessera.service').split('\n');
  const [, user, group, folder] =
    /^ +install -o (\S+) -g (\S+) -m 0600 \S+\/throttle-key (\S+)\/ &&$/m.exec(textOf('README.md')) ??
    assert.fail();
  for (const line of [`User=${user}`, `Group=${group}`, `Environment=TESSERA_DATA=${folder}`])
    assert.ok(unit.includes(line), line);
});

/** What the script for the command line hands to systemd-run, word by word. */
async function handedOver(t: TestContext, ...words: string[]): Promise<string[]> {
  const folder = await temporaryFolder(t);
  const stub = join(folder, 'systemd-run');
  writeFileSync(stub, `#!/bin/sh\nprintf '%s\\n' "$@"\n`);
  chmodSync(stub, 0o755);
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const { stdout } = await run(join(DEPLOY, 'tessera'), words, { env });
  return stdout.split('\n').slice(0, -1);
}

test('the command line is run as the user of the unit, where and with what the unit has', async (t) => {
  const unit = textOf('tessera.service').split('\n');
  const words = await handedOver(t, 'users', 'list');
  const properties = words.filter((_word, at) => words[at - 1] === '-p');
  for (const property of properties) assert.ok(unit.includes(property), property);
  for (const line of unit.filter((text) =>
    /^(User|Group|UMask|WorkingDirectory|StateDirectory(Mode)?|Environment|EnvironmentFile)=/.test(text),
  ))
    assert.ok(properties.includes(line), line);
  const [program, ...given] = words.slice(words.lastIndexOf('-p') + 2);
  assert.ok(unit.includes(`ExecStart=${program} serve`), words.join(' '));
  assert.deepEqual(given, ['users', 'list']);
});

test('systemd finds no variable in what the command line is given', async (t) => {
  const words = await handedOver(t, 'users', 'lock', '', 'a $HOME of $$b', '$');
  assert.deepEqual(words.slice(-5), ['users', 'lock', '', 'a $$HOME of $$$$b', '$$']);
});

test('a command that is broken off is ended, whatever its input and output are', async (t) => {
  const folder = await temporaryFolder(t);
  const stub = (name: string, act: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\necho "$*" >> '${folder}/notes'\n${act}\n`, { mode: 0o755 });
  // As Ctrl-C does it: to both of them.
  stub('systemd-run', 'kill -INT $PPID $$');
  stub('systemctl', '');
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  await assert.rejects(run('sh', ['-c', '"$0" users import -; exit $?', join(DEPLOY, 'tessera')], { env }));
  const [started = '', ended] = readFileSync(join(folder, 'notes'), 'utf8').split('\n');
  const [, unit] = /--unit=(\S+)/.exec(started) ?? assert.fail(started);
  assert.equal(ended, `stop ${unit}`);
});
