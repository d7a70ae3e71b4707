import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { MAY_IMPORT } from './may-import.ts';
import { temporaryFolder } from './service/start.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ALL = readdirSync(join(ROOT, 'src/capabilities'), { withFileTypes: true })
  .filter((each) => each.isDirectory())
  .map(({ name }) => name);

const run = promisify(execFile);

/** The modules that go with a capability: itself, and those that may import one of these. */
function goneWith(capability: string): ReadonlySet<string> {
  const gone = new Set([`capabilities/${capability}`]);
  for (let before = 0; before !== gone.size; ) {
    before = gone.size;
    for (const [module, allowed] of Object.entries(MAY_IMPORT))
      if (allowed.some((each) => gone.has(each))) gone.add(module);
  }
  return gone;
}

/** The command line names commands of all capabilities. A service runs without it. */
const COMMAND_LINE = [
  'main/command-line.ts',
  'main/commands',
  'main/runner-here.ts',
  'main/runner-over-http.ts',
  'main/workers',
];

/** Takes the lines of these capabilities out of the list in `main/capabilities.ts`. */
function withoutLines(list: string, gone: ReadonlySet<string>): string {
  const own = [
    ...list.matchAll(/^import \{ (\w+) \} from '\.\.\/(capabilities\/[\w-]+)\/capability\.ts';$/gm),
  ];
  return own
    .filter(([, , module = '']) => gone.has(module))
    .reduce((text, [line, name]) => text.replace(`${line}\n`, '').replace(`  ${name},\n`, ''), list);
}

/** A copy of the source, from which tests take capabilities out, one after the other. */
async function copyOfSource(t: TestContext): Promise<string> {
  const folder = await temporaryFolder(t);
  for (const each of ['src', 'conformance'])
    cpSync(join(ROOT, each), join(folder, each), { recursive: true });
  for (const each of COMMAND_LINE) rmSync(join(folder, 'src', each), { recursive: true });
  for (const each of ['package.json', 'tsconfig.json']) copyFileSync(join(ROOT, each), join(folder, each));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(
    join(folder, 'without.json'),
    JSON.stringify({ extends: './tsconfig.json', include: ['src'] }),
  );
  writeFileSync(join(folder, 'log-in.ts'), LOG_IN);
  return folder;
}

/** Takes a capability out of a copy of the source, and puts it back after the test. */
function takeOut(t: TestContext, folder: string, capability: string): void {
  const gone = goneWith(capability);
  const source = join(folder, 'src');
  const list = join(source, 'main/capabilities.ts');
  const before = readFileSync(list, 'utf8');
  const aside = join(folder, 'aside');
  const moved: (readonly [string, string])[] = [];
  t.after(() => {
    for (const [from, to] of moved.reverse()) renameSync(to, from);
    writeFileSync(list, before);
  });
  for (const path of [...gone].flatMap((module) => [module, `${module}.ts`])) {
    const [from, to] = [join(source, path), join(aside, path)] as const;
    if (!existsSync(from)) continue;
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
    moved.push([from, to]);
  }
  writeFileSync(list, withoutLines(before, gone));
}

/** The files in which the compiler finds a fault: none if all is well. */
async function faultyFiles(folder: string): Promise<readonly string[]> {
  const compiler = join(ROOT, 'node_modules/.bin/tsc');
  // Several checkers would each work out the types that files share.
  const words = ['--checkers', '1', '-p', join(folder, 'without.json')];
  // A third of its work would be to collect garbage, which its end does at once.
  const env = { ...process.env, GOGC: 'off' };
  const faults = await run(compiler, words, { cwd: folder, env }).then(
    () => '',
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
  return [...new Set([...faults.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, file = '']) => file))];
}

/** Starts a service, logs in, validates the ticket, ends it, and validates it again. Prints the statuses. */
const LOG_IN = `
import { startService } from './src/main/main.ts';
import { readSettings } from './src/main/settings.ts';
import { openStore } from './src/main/store.ts';

const env = { TESSERA_DATA: process.argv[2], TESSERA_PORT: '0', TESSERA_METRICS_PORT: '0', TESSERA_LOG_LEVEL: 'silent' };
const { settings } = readSettings({ flags: {}, env });
let password = '';
const service = await startService(settings, { onTerminal: true, onAdministrator: (made) => { password = made.password; } });
const api = service.url + '/alfresco/service/api/';
const login = await fetch(api + 'login', { method: 'POST', body: JSON.stringify({ username: 'admin', password }) });
const { data } = await login.json();
const ask = async (method) => (await fetch(api + 'login/ticket/' + data.ticket + '?format=json&alf_ticket=' + data.ticket, { method })).status;
console.log(login.status, await ask('GET'), await ask('DELETE'), await ask('GET'));
await service.stop();
`;

async function statusesIn(t: TestContext, folder: string): Promise<string> {
  const { stdout } = await run(process.execPath, ['log-in.ts', await temporaryFolder(t)], { cwd: folder });
  return stdout.trim();
}

test('each capability can be taken out', async (t) => {
  const folder = await copyOfSource(t);
  for (const capability of ALL)
    await t.test(
      `without the capability ${capability} the rest compiles, and tickets work`,
      async (inner) => {
        takeOut(inner, folder, capability);
        assert.deepEqual(await faultyFiles(folder), []);
        assert.equal(await statusesIn(inner, folder), '200 200 200 401');
      },
    );
});
