import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { makeThrottleKey } from '../../src/core/identity/throttle-key.ts';
import { databaseIn } from '../../src/engines/sqlite/data-folder.ts';
import { olderSqlite } from '../../test/engines/older-schemas.ts';
import { Visitor } from '../../test/faces/pages/browse.ts';
import { Postgres, whyNoPostgres } from '../../test/service/postgres.ts';
import { WrongUsage, wholeNumber } from '../options.ts';
import { machine } from '../report/machine.ts';
import { measuredOn } from '../report/page.ts';
import { PASSWORD, passwordHash } from '../seeding/tickets.ts';
import { processorSeconds } from '../servers/processes.ts';
import { startTessera } from '../servers/servers.ts';
import { peakMiB, type Took, tessera } from './commands.ts';
import { ADMINISTRATOR, BIG_GROUP, groupName, type People, userName, writePeople } from './people-file.ts';

/** The schema before the index for searches, whose making is the longest migration. */
const OLD_SCHEMA = 7;
const TIMES = 10;

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const megabytes = (file: string) => `${whole.format(statSync(file).size / 1e6)} MB`;

/** Where a store is, what makes a row of the table, and a folder for files. */
interface Bench {
  readonly folder: string;
  readonly people: People;
  /** Whether the store has these people already. */
  readonly filled: boolean;
  /** The settings that name the store. */
  readonly store: Readonly<Record<string, string>>;
  readonly row: (name: string, seconds: string, cpu: string, peak: string, note?: string) => void;
}

const timeText = (seconds: number) =>
  seconds < 10 ? `${seconds.toFixed(2)} s` : `${whole.format(seconds)} s`;

/** Runs a command, and makes its row. Throws if it ends with another code than `code`. */
async function command(
  { store, row }: Bench,
  words: readonly string[],
  {
    output,
    note,
    code = 0,
    name,
  }: { output?: string; note?: (took: Took) => string; code?: number; name?: string } = {},
): Promise<void> {
  const took = await tessera(words, store, output);
  const text = note?.(took) ?? '';
  const why = took.code === code ? text : `ends with ${took.code}: ${took.said.slice(-300)}`;
  row(
    name ?? words.slice(0, 2).join(' '),
    timeText(took.seconds),
    timeText(took.cpu),
    `${whole.format(took.peakMiB)} MiB`,
    why,
  );
}

/** Calls `ask` several times, and makes the row of its median and of the mean CPU, with the peak of the service. */
async function asked({ row }: Bench, pid: number, name: string, ask: () => Promise<Response>): Promise<void> {
  const times: number[] = [];
  let note = '';
  const before = processorSeconds(pid) ?? 0;
  for (let time = 0; time < TIMES; time += 1) {
    const began = performance.now();
    const response = await ask();
    const text = await response.text();
    times.push(performance.now() - began);
    note = `${response.status}, ${whole.format(text.length / 1_000)} kB`;
  }
  const cpu = (((processorSeconds(pid) ?? 0) - before) * 1_000) / TIMES;
  times.sort((a, b) => a - b);
  const median = times[Math.floor(TIMES / 2)] as number;
  row(
    name,
    `${whole.format(median)} ms`,
    `${whole.format(cpu)} ms`,
    `${whole.format(peakMiB(pid) ?? 0)} MiB`,
    note,
  );
}

/** Pages of the console, and lists of SCIM and of the administration API. */
async function requests(bench: Bench): Promise<void> {
  const { users, groups } = bench.people;
  const keyFile = join(bench.folder, 'key');
  await tessera(['api-keys', 'add', 'scim', '--role', 'scim'], bench.store, keyFile);
  const key = readFileSync(keyFile, 'utf8').trim().split('\n').at(-1);
  const began = performance.now();
  await using server = await startTessera(bench.folder, {
    ...bench.store,
    TESSERA_SCIM: 'true',
    TESSERA_LOG_LEVEL: 'warn',
  });
  const started = timeText((performance.now() - began) / 1_000);
  bench.row('serve, to its first line', started, timeText(processorSeconds(server.pid) ?? 0), '');
  const visitor = new Visitor(server);
  await visitor.signIn(ADMINISTRATOR, PASSWORD);
  const console = (path: string) => () => visitor.get(`/portal/console${path}`);
  const headers = { authorization: `Bearer ${key}` };
  const scim = (path: string) => () => fetch(`${server.url}/scim/v2${path}`, { headers });
  const equal = encodeURIComponent(`userName eq "${userName(users - 1)}"`);
  const part = encodeURIComponent('name.familyName co "kvist-99"');
  const late = Math.max(1, Math.floor(users * 0.9));
  const all: readonly (readonly [string, () => Promise<Response>])[] = [
    ['console: start page', console('')],
    ['console: users', console('/users')],
    ['console: search that many match', console('/users?find=user')],
    ['console: search that few match', console(`/users?find=${userName(users - 1)}`)],
    ['console: search that none matches', console('/users?find=nobody-here')],
    ['console: a user', console(`/users/${userName(users - 1)}`)],
    ['console: groups', console('/groups')],
    [`console: a group of ${whole.format(users / 10)}`, console(`/groups/${BIG_GROUP}`)],
    ['console: a nested group', console(`/groups/${groupName(groups - 1)}`)],
    ['SCIM: users, first page', scim('/Users')],
    ['SCIM: users, 200 a page', scim('/Users?count=200')],
    ['SCIM: userName eq', scim(`/Users?filter=${equal}`)],
    ['SCIM: familyName co', scim(`/Users?filter=${part}`)],
    [`SCIM: users, startIndex=${late}`, scim(`/Users?startIndex=${late}`)],
    ['SCIM: groups, first page', scim('/Groups')],
    ['SCIM: groups without members', scim('/Groups?excludedAttributes=members')],
  ];
  for (const [name, ask] of all) await asked(bench, server.pid, name, ask);
}

const CHANGES = {
  users: [
    { name: userName(1), email: 'another@example.org' },
    { name: 'a-new-user', groups: [groupName(0)] },
  ],
};

/** The state as a file, and files that change it. */
async function states(bench: Bench): Promise<void> {
  const [file, some] = [join(bench.folder, 'state.json'), join(bench.folder, 'changes.json')];
  await command(bench, ['state', file], { name: 'state', note: () => megabytes(file) });
  writeFileSync(some, JSON.stringify(CHANGES));
  await command(bench, ['apply', some, '--dry-run'], { name: 'apply of two users, dry run', code: 3 });
  await command(bench, ['apply', some], { name: 'apply of two users' });
  await command(bench, ['apply', file, '--dry-run'], { name: 'apply of the whole state, dry run', code: 3 });
  await command(bench, ['apply', file], { name: 'apply of the whole state, a user changed' });
}

/** `upgrade-check` of an embedded store of an older schema with as many users. */
async function upgrade(bench: Bench): Promise<void> {
  const data = join(bench.folder, 'older');
  mkdirSync(data);
  olderSqlite(data, OLD_SCHEMA);
  const stored = await passwordHash();
  {
    using db = new DatabaseSync(databaseIn(data));
    db.exec('BEGIN');
    const add = db.prepare(
      'INSERT INTO users (name, key, password_hash, administrator, disabled, locked_until, generation) VALUES (?, ?, ?, 0, 0, 0, 0)',
    );
    for (let number = 0; number < bench.people.users; number += 1)
      add.run(userName(number), userName(number), stored);
    db.exec('COMMIT');
  }
  const said = join(bench.folder, 'upgrade-check');
  const name = `upgrade-check from schema ${OLD_SCHEMA}`;
  const note = () => /that took [\d.]+ s/.exec(readFileSync(said, 'utf8'))?.[0] ?? readFileSync(said, 'utf8');
  await command({ ...bench, store: { TESSERA_DATA: data } }, ['upgrade-check'], { output: said, name, note });
}

async function embedded(bench: Bench): Promise<void> {
  const { folder, people } = bench;
  const file = join(folder, 'backup');
  await command(bench, ['backup', file], { name: 'backup', note: () => megabytes(file) });
  const restored = { ...bench, store: { TESSERA_DATA: join(folder, 'restored') } };
  await command(restored, ['restore', file], { name: 'restore' });
  await upgrade({ ...bench, people });
}

async function measure(bench: Bench, copyTo: string | undefined): Promise<void> {
  const { folder, people, store } = bench;
  const [file, exported] = [join(folder, 'people.ndjson'), join(folder, 'exported.ndjson')];
  const lines = people.users + people.groups + 2;
  const rate = ({ cpu }: Took) =>
    `${whole.format(lines / cpu)} lines for each CPU second, ${megabytes(file)}`;
  if (!bench.filled) {
    await writePeople(file, people, await passwordHash());
    await command(bench, ['users', 'import', file], { note: rate });
  }
  await requests(bench);
  await command(bench, ['users', 'export'], { output: exported, note: () => megabytes(exported) });
  await states(bench);
  if (store.TESSERA_DATABASE === undefined) await embedded(bench);
  const from = store.TESSERA_DATABASE ?? `sqlite:${store.TESSERA_DATA}`;
  const to = copyTo ?? `sqlite:${join(folder, 'copied')}`;
  await command({ ...bench, store: {} }, ['copy', '--from', from, '--to', to], {
    name: `copy to ${to.split(':')[0]}`,
  });
}

function readPeopleOptions(words: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        users: { type: 'string', default: '1000000' },
        groups: { type: 'string', default: '10000' },
        store: { type: 'string', default: 'sqlite' },
        data: { type: 'string' },
      },
    });
    if (values.store !== 'sqlite' && values.store !== 'postgres')
      throw new WrongUsage(`--store takes sqlite or postgres, and "${values.store}" is neither`);
    const people = {
      users: wholeNumber('users', values.users, 100),
      groups: wholeNumber('groups', values.groups, 10),
    };
    return { people, store: values.store, data: values.data };
  } catch (error) {
    throw error instanceof WrongUsage ? error : new WrongUsage((error as Error).message);
  }
}

/** Measures commands, pages and lists with many users, and prints a table. Returns the exit code. */
export async function people(words: readonly string[], within: string): Promise<number> {
  const { people, store, data: given } = readPeopleOptions(words);
  const folder = mkdtempSync(join(within, 'people-'));
  const why = whyNoPostgres();
  if (why !== undefined && store === 'postgres') throw new Error(why);
  const server = why === undefined ? await Postgres.start('fsync = on', 'max_wal_size = 4GB') : undefined;
  const url = await server?.freshDatabase();
  const data = given ?? join(folder, 'data');
  const keyFile = join(folder, 'throttle-key');
  makeThrottleKey(keyFile);
  const named: Readonly<Record<string, string>> =
    store === 'sqlite'
      ? { TESSERA_DATA: data }
      : { TESSERA_DATA: data, TESSERA_DATABASE: url as string, TESSERA_THROTTLE_KEY_FILE: keyFile };
  const above = `${measuredOn(new Date(), machine())}; ${store}: ${whole.format(people.users)} users, ${whole.format(people.groups)} groups`;
  process.stdout.write(
    `${above}\n\n| What | Time | CPU | Peak memory | |\n| --- | --- | --- | --- | --- |\n`,
  );
  const row: Bench['row'] = (...cells) => void process.stdout.write(`| ${cells.join(' | ')} |\n`);
  try {
    await measure(
      { folder, people, filled: given !== undefined && existsSync(databaseIn(given)), store: named, row },
      store === 'sqlite' ? url : undefined,
    );
  } finally {
    await server?.remove();
    rmSync(folder, { recursive: true, force: true });
  }
  return 0;
}
