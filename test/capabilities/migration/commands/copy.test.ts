import assert from 'node:assert/strict';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test as onMachine, type TestContext } from 'node:test';
import { serve } from '../../../crash/serve.ts';
import { run } from '../../../faces/cli/command.ts';
import { onTerminal } from '../../../faces/cli/terminal.ts';
import { testsOnPostgres } from '../../../service/postgres.ts';
import { PASSWORD, temporaryFolder } from '../../../service/start.ts';
import { ask, logIn } from '../../../service/talk.ts';
import { cutOff, manyTickets } from './copying.ts';

const test = await testsOnPostgres();

const TICKETS = 60_000;

const copy = (from: string, to: string) => run('tessera', ['copy', '--from', from, '--to', to]);

async function validated(url: string, ticket: string): Promise<number> {
  return (await ask(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`)).status;
}

/** A running service, and functions that use its tickets. */
async function serving(t: TestContext, data: string, settings: Record<string, string> = {}) {
  const service = serve(t, data, settings);
  const url = await service.url;
  return {
    url,
    async stop() {
      service.kill('SIGTERM');
      assert.equal((await service.ended).code, 0);
    },
  };
}

test('users notice nothing: tickets issued on SQLite are good on PostgreSQL, and back again', async (t, server) => {
  const [data, back] = [join(await temporaryFolder(t), 'data'), join(await temporaryFolder(t), 'back')];
  const database = await server.freshDatabase();
  const settings = { TESSERA_DATABASE: database, TESSERA_THROTTLE_KEY_FILE: join(data, 'throttle-key') };
  const first = await serving(t, data);
  const [ticket, ended] = [await logIn(first.url), await logIn(first.url)];
  await ask(`${first.url}/api/login/ticket/${ended}?alf_ticket=${ended}`, { method: 'DELETE' });

  // While the service runs the copy is only prepared, and no service opens it.
  const early = await copy(`sqlite:${data}`, database);
  assert.equal(early.code, 1);
  assert.match(
    early.stderr,
    /^Not finished: something has its database open.*Stop whatever uses the data folder/,
  );
  const tooSoon = await serve(t, data, settings).ended;
  assert.match(tooSoon.said, /half-done copy of the data folder/);

  const later = await logIn(first.url);
  await first.stop();
  const done = await copy(`sqlite:${data}`, database);
  assert.equal(done.code, 0, done.stderr);
  assert.match(
    done.stdout,
    /^Counts and digests agree\. users: 1, clients: 0, tickets: 2,.*written or removed: \d\.\nTake the key .*throttle-key: name a copy of it in TESSERA_THROTTLE_KEY_FILE/,
  );
  const second = await serving(t, data, settings);
  assert.equal(await validated(second.url, ticket), 200);
  assert.equal(await validated(second.url, later), 200);
  assert.equal(await validated(second.url, ended), 401);
  const newer = await logIn(second.url, 'admin', PASSWORD);
  const inUse = await copy(database, `sqlite:${back}`);
  assert.match(inUse.stderr, /^Not finished: \d+ other sessions are open on it, from 127\.0\.0\.1/);
  await second.stop();

  const returned = await copy(database, `sqlite:${back}`);
  assert.equal(returned.code, 0, returned.stderr);
  cpSync(join(data, 'throttle-key'), join(back, 'throttle-key'));
  const third = await serving(t, back);
  for (const good of [ticket, later, newer]) assert.equal(await validated(third.url, good), 200);
  assert.equal(await validated(third.url, ended), 401);
});

test('a copy into PostgreSQL that was cut off is completed when the command is given again', async (t, server) => {
  const data = await temporaryFolder(t);
  await manyTickets(data, TICKETS);
  const database = await server.freshDatabase();
  const there = async () => {
    const [row] = await server.ask('SELECT count(*)::int AS tickets FROM tickets', database);
    return row?.tickets as number;
  };
  await cutOff(['--from', `sqlite:${data}`, '--to', database]);
  const half = await there();
  assert.ok(half > 0 && half < TICKETS, `${half} tickets`);
  const { code, stdout, stderr } = await copy(`sqlite:${data}`, database);
  assert.equal(code, 0, stderr);
  assert.match(stdout, new RegExp(`tickets: ${TICKETS},`));
  const [, written] = /removed: (\d+)/.exec(stdout) ?? [];
  assert.ok(Number(written) < TICKETS, `${written} rows`);
  assert.equal(await there(), TICKETS);
});

onMachine(
  'a copy into a data folder that was cut off is brought to its end by giving the command again',
  async (t) => {
    const [data, to] = [await temporaryFolder(t), await temporaryFolder(t)];
    await manyTickets(data, TICKETS);
    const ticketsIn = (file: string) => {
      using db = new DatabaseSync(join(to, file), { readOnly: true });
      return db.prepare('SELECT count(*) AS tickets FROM tickets').get()?.tickets as number;
    };
    const draft = () => readdirSync(to).find((name) => /\.copy-[0-9a-f]+$/.test(name)) ?? '';
    await cutOff(['--from', `sqlite:${data}`, '--to', `sqlite:${to}`]);
    const half = ticketsIn(draft());
    assert.ok(half > 0 && half < TICKETS, `${half} tickets`);
    const { code, stdout, stderr } = await copy(`sqlite:${data}`, `sqlite:${to}`);
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(`tickets: ${TICKETS},`));
    assert.deepEqual(readdirSync(to), ['tessera.db']);
    assert.equal(ticketsIn('tessera.db'), TICKETS);
  },
);

test('no password in a URL or a file is ever printed', async (t, server) => {
  const cwd = await temporaryFolder(t);
  await manyTickets(join(cwd, 'data'), 1);
  const database = (await server.freshDatabase()).replace('postgres@', 'postgres:hunter2@');
  for (const [from, to] of [
    ['sqlite:data', database],
    [database, 'sqlite:other'],
    [database, 'sqlite:data'],
    [database, database],
  ] as const) {
    const { stdout, stderr } = await run('tessera', ['copy', '--from', from, '--to', to], { cwd });
    assert.ok(stdout.length + stderr.length > 0);
    assert.doesNotMatch(stdout + stderr, /hunter2/);
  }
});

/** Loaded into Node: its clock runs so fast that every update of the bar is drawn. */
const HASTY = '--import=data:text/javascript,let%20now=0;performance.now=()=>now+=101';

onMachine('on a terminal a bar shows how far the copy is', async (t) => {
  const cwd = await temporaryFolder(t);
  await manyTickets(join(cwd, 'data'), 30_000);
  const around = { cwd, env: { NODE_OPTIONS: HASTY } };
  const { screen, ended } = onTerminal(t, 'tessera copy --from sqlite:data --to sqlite:other', around);
  assert.equal(await ended, 0);
  assert.match(screen(), /\[#+\.+\] +\d+ % {2}tickets/);
  assert.match(screen(), /Counts and digests agree/);
});
