import assert from 'node:assert/strict';
import { chmod, copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { BIN, run } from '../../faces/cli/command.ts';
import { PASSWORD, temporaryFolder } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';
import { serve } from './serve.ts';

const TOOLS = ['sh', 'readlink', 'dirname', 'uname', 'getconf'];

/** A folder with a few shell tools, and a `node` that reports this version and prints its arguments. */
async function pathWith(t: TestContext, node: string | undefined): Promise<string> {
  const folder = await temporaryFolder(t);
  for (const tool of TOOLS) {
    const { stdout } = await run('sh', ['-c', `command -v ${tool}`]);
    await symlink(stdout.trim(), join(folder, tool));
  }
  if (node === undefined) return folder;
  const script = `#!/bin/sh\nif [ "$1" = -p ]; then echo ${node}; else echo "system node: $*"; fi\n`;
  await writeFile(join(folder, 'node'), script);
  await chmod(join(folder, 'node'), 0o755);
  return folder;
}

/** A checkout without an installed Node: its `bin/`, its lock file, and a source. */
async function bareCheckout(t: TestContext): Promise<string> {
  const folder = await temporaryFolder(t);
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'package-lock.json'), '');
  await mkdir(join(folder, 'src/main'), { recursive: true });
  await writeFile(join(folder, 'src/main/command-line.ts'), '');
  for (const program of ['tessera', 'node']) await copyFile(join(BIN, program), join(folder, 'bin', program));
  return folder;
}

test('the checkout brings its own Node, however old the system’s is and wherever it is called from', async (t) => {
  const cwd = await temporaryFolder(t);
  const PATH = await pathWith(t, '12.0.0');
  const version = await run(join(BIN, 'node'), ['--version'], { cwd, env: { PATH } });
  assert.match(version.stdout, /^v26\./);
  const added = await run(join(BIN, 'tessera'), ['users', 'add', 'ana', '--no-password'], {
    cwd,
    env: { PATH },
  });
  assert.deepEqual(added, { stdout: 'Added "ana".\n', stderr: '', code: 0 });
});

test('it runs through a symbolic link, and through a link to that', async (t) => {
  const cwd = await temporaryFolder(t);
  await symlink(join(BIN, 'tessera'), join(cwd, 'first'));
  await symlink('first', join(cwd, 'second'));
  const env = { PATH: `${cwd}${delimiter}${await pathWith(t, '12.0.0')}` };
  for (const program of [join(cwd, 'second'), './first', 'second']) {
    const { stdout, code } = await run(program, ['operations', '--json'], { cwd, env });
    assert.equal(code, 0);
    assert.ok(JSON.parse(stdout).length > 0);
  }
});

test('the service starts through a link from another folder, with its data where it was called', async (t) => {
  const cwd = await temporaryFolder(t);
  await symlink(join(BIN, 'tessera'), join(cwd, 'tessera'));
  const env = { TESSERA_ADMIN_PASSWORD: PASSWORD, PATH: await pathWith(t, '12.0.0') };
  const { url } = serve(t, { cwd, env }, join(cwd, 'tessera'));
  await logIn(await url);
  const listed = await run(join(BIN, 'tessera'), ['users', 'list', '--json'], { cwd });
  assert.equal(JSON.parse(listed.stdout).length, 1);
});

test('a checkout without its Node takes a system’s that is new enough', async (t) => {
  const checkout = await bareCheckout(t);
  for (const version of ['24.2.0', '24.15.1', '25.0.0']) {
    const env = { PATH: await pathWith(t, version) };
    const { stdout, code } = await run(join(checkout, 'bin/tessera'), ['users', 'list'], { env });
    assert.equal(code, 0);
    assert.equal(stdout, `system node: --disable-sigusr1 ${checkout}/src/main/command-line.ts users list\n`);
  }
});

test('a checkout without its Node, on a system whose Node is old or missing, says what to do', async (t) => {
  const checkout = await bareCheckout(t);
  for (const [node, problem] of [
    ['20.19.0', 'Node 20.19.0 is too old'],
    ['24.1.0', 'Node 24.1.0 is too old'],
    [undefined, 'no Node found'],
  ] as const) {
    const { stderr, code } = await run(join(checkout, 'bin/tessera'), [], {
      env: { PATH: await pathWith(t, node) },
    });
    assert.equal(code, 1);
    assert.equal(stderr, `tessera: ${problem}: run 'npm ci' in ${checkout}, or install Node 24.2 or newer\n`);
  }
});

test('a checkout whose Node lacks a library takes a system’s that is new enough, or says which library', async (t) => {
  const checkout = await bareCheckout(t);
  const fault = 'libatomic.so.1: cannot open shared object file';
  for (const arch of ['x64', 'arm64']) {
    const folder = join(checkout, `node_modules/node-linux-${arch}/bin`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'node'), `#!/bin/sh\necho '${fault}' >&2\nexit 127\n`, { mode: 0o755 });
  }
  const runWith = async (node: string) =>
    run(join(checkout, 'bin/tessera'), ['users', 'list'], { env: { PATH: await pathWith(t, node) } });
  assert.equal(
    (await runWith('24.2.0')).stdout,
    `system node: --disable-sigusr1 ${checkout}/src/main/command-line.ts users list\n`,
  );
  const { stderr, code } = await runWith('20.19.0');
  assert.equal(code, 1);
  assert.match(stderr, /^tessera: Node 20\.19\.0 is too old: .*libatomic1.*: libatomic\.so\.1: cannot open/);
});
