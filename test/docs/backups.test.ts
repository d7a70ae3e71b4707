import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Client } from 'pg';
import { serve } from '../crash/serve.ts';
import { BIN, shell, tesseraOn } from '../faces/cli/command.ts';
import { afterwards } from '../service/afterwards.ts';
import { freePort } from '../service/free-port.ts';
import { testsOnPostgres } from '../service/postgres.ts';
import { PASSWORD, temporaryFolder } from '../service/start.ts';
import { ask, logIn } from '../service/talk.ts';
import { eventually } from '../service/until.ts';
import { readStore, versionsOf } from '../upgrades/old-store.ts';
import { fillPostgres } from '../upgrades/rows.ts';

const testOnPostgres = await testsOnPostgres();
const CHECKOUT = join(BIN, '..');
const PAGES = ['back-up.md', 'back-up-postgresql.md']
  .map((page) => readFileSync(join(CHECKOUT, 'docs/how-to', page), 'utf8'))
  .join('\n');
const DATABASE = 'postgres://tessera@db.example.org/tessera';

/** The one line of the pages that begins so, with what stands on it changed to what is here. */
function lineOf(beginning: string, inPlace: Readonly<Record<string, string>>): string {
  const lines = PAGES.split('\n').filter((line) => line.startsWith(beginning));
  assert.equal(lines.length, 1, beginning);
  return Object.entries(inPlace).reduce((line, [written, here]) => {
    assert.ok(line.includes(written), `${written} stands in ${line}`);
    return line.replaceAll(written, here);
  }, lines[0] as string);
}

async function succeeds(line: string, env: Record<string, string> = {}): Promise<string> {
  const { stdout, stderr, code } = await shell(line, { cwd: CHECKOUT, env });
  assert.equal(code, 0, `${line}: ${stderr}`);
  return stdout;
}

const TODAY = '2026-01-31';

/** An environment in which it is this day until the test ends. */
async function onOneDay(t: TestContext): Promise<Record<string, string>> {
  const folder = await temporaryFolder(t);
  writeFileSync(join(folder, 'date'), `#!/bin/sh\nexec /bin/date --date=${TODAY} "$@"\n`, { mode: 0o755 });
  return { PATH: `${folder}:${BIN}:${process.env.PATH}` };
}

/** A data folder with the administrator. */
async function filledFolder(t: TestContext): Promise<string> {
  const data = await temporaryFolder(t);
  const service = serve(t, data);
  await service.url;
  service.kill('SIGTERM');
  await service.ended;
  return data;
}

test('the line for every night writes a backup of the day and removes old ones, unless it fails', async (t) => {
  const [data, folder] = [await filledFolder(t), await temporaryFolder(t)];
  const line = lineOf('17 3 * * * root', {
    '/usr/local/bin/tessera': 'tessera',
    '/var/backups/tessera': `'${folder}'`,
    // What cron takes for the end of the line.
    '\\%': '%',
  }).replace('17 3 * * * root ', '');
  const old = join(folder, 'old.db');
  const today = join(folder, `${TODAY}.db`);
  const env = { TESSERA_DATA: data, ...(await onOneDay(t)) };
  const grownOld = () => {
    writeFileSync(old, '');
    utimesSync(old, 0, 0);
  };
  grownOld();
  await succeeds(line, env);
  assert.deepEqual([existsSync(today), existsSync(old)], [true, false]);
  grownOld();
  const { code, stderr } = await shell(line, { env });
  assert.equal(code, 1);
  assert.match(stderr, /it is there already/);
  assert.ok(existsSync(old));
});

test('a drill restores a backup and lets in whom it holds, whatever the service has for settings', async (t) => {
  const [data, folder] = [await filledFolder(t), await temporaryFolder(t)];
  const file = join(folder, 'saved.db');
  await tesseraOn(data)(`backup '${file}'`);
  const env = { drill: join(folder, 'drill'), TESSERA_TICKETS: 'redis://127.0.0.1:1', TESSERA_DATA: data };
  const restored = await succeeds(
    lineOf('env -i PATH="$PATH" bin/tessera restore', {
      '/path/to/backup/tessera-2026-01-31.db': `'${file}'`,
    }),
    env,
  );
  assert.match(restored, /Every ticket has ended/);
  const port = await freePort();
  const line = lineOf('env -i PATH="$PATH" bin/tessera serve', { 8090: String(port) });
  const child = spawn('sh', ['-c', `exec ${line}`], {
    cwd: CHECKOUT,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  afterwards(t, async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const asked = lineOf('curl http://127.0.0.1:8090', {
    8090: String(port),
    alice: 'admin',
    'a long quiet river': PASSWORD,
  });
  assert.match(await eventually(() => succeeds(`${asked} -s`)), /"ticket":"TICKET_/);
});

testOnPostgres('the line for every night dumps PostgreSQL whole or not at all', async (t, server) => {
  const folder = await temporaryFolder(t);
  const lineFor = (database: string) =>
    lineOf('17 3 * * * tessera', {
      [DATABASE]: database,
      '/var/backups/tessera': `'${folder}'`,
      '\\%': '%',
    }).replace('17 3 * * * tessera ', '');
  const old = join(folder, 'old.dump');
  const grownOld = () => {
    writeFileSync(old, '');
    utimesSync(old, 0, 0);
  };
  grownOld();
  const { code } = await shell(lineFor(`${await server.freshDatabase()}_that_is_not_there`));
  assert.notEqual(code, 0);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.dump')),
    ['old.dump'],
  );
  await succeeds(lineFor(await server.freshDatabase()), await onOneDay(t));
  assert.deepEqual(readdirSync(folder), [`${TODAY}.dump`]);
  assert.equal(statSync(join(folder, readdirSync(folder)[0] as string)).mode & 0o077, 0);
});

testOnPostgres(
  'a dump that is restored revives a ticket, which is dead once the page is followed',
  async (t, server) => {
    const [folder, from, to] = [
      await temporaryFolder(t),
      await server.freshDatabase(),
      await server.freshDatabase(),
    ];
    const key = join(folder, 'key');
    writeFileSync(key, 'ab'.repeat(32));
    const on = (database: string) => ({ TESSERA_DATABASE: database, TESSERA_THROTTLE_KEY_FILE: key });
    const dump = { '/var/backups/tessera/2026-01-31.dump': `'${join(folder, 'dump')}'` };
    const first = await serve(t, folder, on(from)).url;
    const ticket = await logIn(first);
    const presenting = (url: string, method: string) =>
      ask(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`, { method });
    await succeeds(lineOf('pg_dump ', { [DATABASE]: from, ...dump }));
    assert.equal((await presenting(first, 'DELETE')).status, 200);

    await succeeds(lineOf('pg_restore ', { [DATABASE]: to, ...dump }));
    await succeeds(lineOf('bin/tessera migrate up ', {}), on(to));
    const second = await serve(t, folder, on(to)).url;
    assert.equal((await presenting(second, 'GET')).status, 200);
    await succeeds(lineOf('bin/tessera tickets revoke --all', {}), on(to));
    assert.equal((await presenting(second, 'GET')).status, 401);
    await logIn(second);
  },
);

testOnPostgres(
  'upgrade-check tries the migrations on a restored dump as the page says, and leaves it as it was',
  async (t, server) => {
    const [database, data] = [await server.freshDatabase(), await temporaryFolder(t)];
    const older = versionsOf('postgres').at(-2) as number;
    await fillPostgres(server, database, readStore('postgres', older));
    const page = readFileSync(join(CHECKOUT, 'docs/how-to/newer-version.md'), 'utf8');
    const [, block = ''] = /^```sh\n(createdb .*?)^```$/ms.exec(page) ?? assert.fail();
    const here = block
      .replaceAll(
        '--host=db.example.org --username=tessera',
        `--host=127.0.0.1 --port=${server.port} --username=postgres`,
      )
      .replaceAll(`${DATABASE}_copy`, server.url('tessera_copy'))
      .replaceAll(DATABASE, database);
    const key = join(data, 'key');
    writeFileSync(key, 'ab'.repeat(32));
    const env = { TESSERA_DATABASE: database, TESSERA_DATA: data, TESSERA_THROTTLE_KEY_FILE: key };
    // The line that removes the copy comes last.
    const lines = here.trimEnd().split('\n');
    const check = lines.at(-2) as string;
    const shown = await succeeds(`set -e\n${lines.slice(0, -1).join('\n')}`, env);
    assert.match(shown, new RegExp(`^This version migrates: 00${older + 1}, 00${older + 2}`));
    assert.match(
      shown,
      /^On the copy, of \d+ MB, that took [\d.]+ s; the longest was 00\d+, with [\d.]+ s\./m,
    );
    const versionIn = async (url: string) =>
      (await server.ask('SELECT max(number)::int AS version FROM tessera_migrations', url))[0]?.version;
    const copy = server.url('tessera_copy');
    assert.deepEqual([await versionIn(copy), await versionIn(database)], [older, older]);

    const refused = async (why: RegExp) =>
      assert.match((await shell(check, { cwd: CHECKOUT, env })).stderr, why);
    const user = new Client({ connectionString: copy });
    await user.connect();
    await refused(/"tessera_copy" .*, or others are connected to it, and a trial locks/);
    await user.end();
    const itself = check.replace(copy, database.replace('127.0.0.1', 'localhost'));
    assert.match(
      (await shell(itself, { cwd: CHECKOUT, env })).stderr,
      /: it is the database of the service, or/,
    );
    await succeeds('bin/tessera migrate up', { ...env, TESSERA_DATABASE: copy });
    await refused(/another schema: restore a dump of now/);
    await succeeds(lines.at(-1) as string);
  },
);
