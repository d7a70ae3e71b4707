import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { databaseIn } from '../../src/engines/sqlite/data-folder.ts';
import { serve } from '../crash/serve.ts';
import { History } from '../histories/record.ts';
import { freePort } from '../service/free-port.ts';
import { type Postgres, testsOnOwnPostgres } from '../service/postgres.ts';
import { Redis, whyNoRedis } from '../service/redis.ts';
import { temporaryFolder } from '../service/start.ts';
import { until } from '../service/until.ts';
import { type Engine, type OldStore, readStore, versionsOf } from '../upgrades/old-store.ts';
import { fillPostgres, fillRedis, fillSqlite } from '../upgrades/rows.ts';
import { Line } from './asking.ts';
import { Book } from './book.ts';
import { type Fleet, type Instance, type Member, newFleet, type SettingsOf } from './fleet.ts';
import { lastLook } from './last-look.ts';
import { SECONDS } from './length.ts';
import { OldStoreLoad } from './old-store-load.ts';
import { DURABLE } from './on-postgres.ts';
import { assertExplained } from './verdict.ts';

const isLong = SECONDS >= 20;
/** Answers of each instance after each change. */
const PACE = isLong ? 100 : 20;

/** The recorded tickets were last used when they were recorded; refused passwords lock nobody out. */
const SETTINGS = { TESSERA_TICKET_IDLE: 'off', TESSERA_TICKET_AGE: 'off', TESSERA_LOCKOUT_THRESHOLD: '0' };

/** The recorded stores of an engine: in a short run the oldest and the newest. */
function stores(engine: Engine): OldStore[] {
  const versions = versionsOf(engine);
  const chosen = isLong ? versions : versions.filter((_, at) => at === 0 || at === versions.length - 1);
  return chosen.map((version) => readStore(engine, version));
}

/** An instance at a port that clients call before it listens there. */
class Place implements Member {
  readonly #instance: Instance;
  readonly #early: Line;

  constructor(instance: Instance, port: string) {
    this.#instance = instance;
    this.#early = new Line(`http://127.0.0.1:${port}`);
  }

  get name(): string {
    return this.#instance.name;
  }

  get alive(): boolean {
    return this.#instance.alive;
  }

  get line(): Line {
    return this.alive ? this.#instance.line : this.#early;
  }

  close(): void {
    this.#early.close();
  }
}

interface Upgrade {
  readonly names: readonly string[];
  readonly settingsOf: SettingsOf;
  /** Starts the instances, and resolves once all of them listen. */
  readonly start?: (fleet: Fleet) => Promise<void>;
}

const startAll = async ({ instances }: Fleet): Promise<void> => {
  await Promise.all(instances.map((instance) => instance.start()));
};

/** Starts instances of this version on an old store while clients call them, and judges what the clients saw. */
async function upgraded(t: TestContext, { expected }: OldStore, upgrade: Upgrade): Promise<void> {
  const { names, settingsOf, start = startAll } = upgrade;
  const ports = new Map<string, string>();
  for (const name of names) ports.set(name, String(await freePort()));
  const portOf = (name: string) => ports.get(name) as string;
  const fleet = await newFleet(t, names, (name) => ({
    ...SETTINGS,
    ...settingsOf(name),
    TESSERA_PORT: portOf(name),
  }));
  const [book, history] = [new Book(), new History()];
  const places = fleet.instances.map((instance) => new Place(instance, portOf(instance.name)));
  const load = new OldStoreLoad(places, expected, book, history);
  try {
    await Promise.all([start(fleet), load.changeAll(PACE)]);
  } finally {
    await load.stop();
    for (const place of places) place.close();
  }
  const undecided = await lastLook(fleet.alive, history, book);
  t.diagnostic(
    `${book.logins} logins, ${book.logouts} log-outs, ${book.cut} calls before an instance listened`,
  );
  assertExplained(t, history);
  assert.deepEqual(book.wrong.slice(0, 10), [], `${book.wrong.length} wrong answers`);
  assert.equal(undecided, 0, 'of some tickets an instance said nothing');
  assert.equal(book.unanswered, 0, 'a living instance gave no answer');
  assert.ok(book.cut > 0, 'clients called before the instances listened');
}

const HERE = fileURLToPath(new URL('../../', import.meta.url));

/** This version in a folder of its own, where the last migration of SQLite is a pipe: whoever reads it waits for a writer. */
async function waitingVersion(t: TestContext): Promise<{ readonly root: string; readonly pipe: string }> {
  const root = await temporaryFolder(t);
  for (const part of ['bin', 'src', 'package.json'])
    cpSync(join(HERE, part), join(root, part), { recursive: true });
  symlinkSync(join(HERE, 'node_modules'), join(root, 'node_modules'));
  const migrations = join(root, 'src/engines/sqlite/migrations');
  const pipe = join(migrations, readdirSync(migrations).sort().at(-1) as string);
  rmSync(pipe);
  execFileSync('mkfifo', [pipe]);
  return { root, pipe };
}

/** Migrates the database in this folder up to the last migration, and kills the process there, in the middle of its transaction. */
async function killedOnSqlite(t: TestContext, data: string, before: number): Promise<void> {
  const { root, pipe } = await waitingVersion(t);
  const serving = serve(t, data, SETTINGS, 'ignore', root);
  let opened: number | undefined;
  // It cannot be opened so before somebody reads.
  await until('the last migration is read', () => {
    opened = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    return true;
  });
  serving.kill('SIGKILL');
  await serving.ended;
  if (opened !== undefined) closeSync(opened);
  // Whoever opens it mends it, and that is for the next instance to do.
  const copy = join(await temporaryFolder(t), 'data');
  cpSync(data, copy, { recursive: true });
  using db = new DatabaseSync(databaseIn(copy));
  const version = db.prepare('PRAGMA user_version').get()?.user_version;
  assert.equal(version, before, 'half a migration was kept');
}

for (const old of stores('sqlite'))
  test(`the embedded store of schema ${old.version} is migrated while clients call, after a kill meanwhile`, async (t) => {
    const data = join(await temporaryFolder(t), 'data');
    mkdirSync(data, { mode: 0o700 });
    fillSqlite(data, old);
    await upgraded(t, old, {
      names: ['A'],
      settingsOf: () => ({ TESSERA_DATA: data }),
      start: async (fleet) => {
        await killedOnSqlite(t, data, old.version);
        await startAll(fleet);
      },
    });
  });

/** The settings of instances on this database, which tells them apart by the name of the application. */
async function onDatabase(t: TestContext, url: string, tickets?: Redis): Promise<SettingsOf> {
  const keyFile = join(await temporaryFolder(t), 'throttle-key');
  writeFileSync(keyFile, '5'.repeat(64), { mode: 0o600 });
  return (name) => ({
    TESSERA_DATABASE: `${url}?application_name=${name}`,
    TESSERA_THROTTLE_KEY_FILE: keyFile,
    ...(tickets !== undefined && { TESSERA_TICKETS: tickets.url }),
  });
}

const WAITING = `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
  WHERE NOT l.granted AND l.relation = 'tessera_migrations'::regclass`;
const VERSION = 'SELECT max(number)::int AS version FROM tessera_migrations';

/**
 * Starts all instances at once, while a lock keeps the first migration from being noted as done. Kills the instance that migrates
 * with `kill -9` in the middle of its transaction. It is started again at once, and the lock is released.
 */
async function killedOnPostgres(
  { instances }: Fleet,
  server: Postgres,
  url: string,
  before: number,
): Promise<void> {
  const locking = new Client({ connectionString: url });
  await locking.connect();
  await locking.query('BEGIN; LOCK TABLE tessera_migrations IN SHARE MODE');
  const started = startAll({ instances } as Fleet);
  try {
    let victim: Instance | undefined;
    await until('an instance is in the middle of the migration', async () => {
      const [waiting] = await server.ask(WAITING, url);
      victim = instances.find(({ name }) => name === waiting?.name);
      return victim !== undefined;
    });
    // Whoever starts it starts it again.
    await victim?.kill();
    assert.equal((await server.ask(VERSION, url))[0]?.version, before, 'half a migration was kept');
  } finally {
    await locking.end();
  }
  await started;
}

const onPostgres = await testsOnOwnPostgres(...DURABLE);

for (const old of stores('postgres'))
  onPostgres(
    `a PostgreSQL of schema ${old.version} is migrated by one of three instances while clients call, and one is killed meanwhile`,
    async (t, server) => {
      const url = await server.freshDatabase();
      await fillPostgres(server, url, old);
      await upgraded(t, old, {
        names: ['A', 'B', 'C'],
        settingsOf: await onDatabase(t, url),
        start: (fleet) => killedOnPostgres(fleet, server, url, old.version),
      });
    },
  );

for (const old of stores('redis'))
  onPostgres(
    `tickets in Redis of schema ${old.version} are migrated by one of two instances`,
    async (t, server) => {
      const why = whyNoRedis();
      if (why !== undefined) return t.skip(why);
      const url = await server.freshDatabase();
      await fillPostgres(server, url, old);
      const redis = await Redis.start();
      t.after(() => redis.remove());
      await fillRedis(redis, old.values);
      await upgraded(t, old, { names: ['A', 'B'], settingsOf: await onDatabase(t, url, redis) });
    },
  );
