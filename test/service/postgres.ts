import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { atExit } from './at-exit.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

const INSTALLED = '/usr/lib/postgresql';
const run = promisify(execFile);

/** The folder of the newest PostgreSQL that is installed here, as distributions lay it out. */
const binaries = existsSync(INSTALLED)
  ? readdirSync(INSTALLED)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(INSTALLED, version, 'bin'))
      .find((folder) => existsSync(join(folder, 'initdb')))
  : undefined;

/** Why no PostgreSQL can be started here; nothing when one can. With TESSERA_TEST_ALL=1 that is a failure. */
export function whyNoPostgres(): string | undefined {
  if (binaries !== undefined) return undefined;
  const why = `no PostgreSQL below ${INSTALLED} (Debian: apt-get install postgresql); TESSERA_TEST_ALL=1 makes that a failure`;
  if (process.env.TESSERA_TEST_ALL === '1') throw new Error(why);
  return why;
}

/** Who runs the servers: PostgreSQL refuses root. */
function owner(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string, name: string) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' }));
  for (const name of ['postgres', 'nobody']) {
    try {
      return { uid: idOf('-u', name), gid: idOf('-g', name) };
    } catch {
      // Not every machine has the first.
    }
  }
  throw new Error('PostgreSQL refuses to run as root, and there is no other user');
}

/** How often another port is tried where another process takes one first. */
const TRIES = 5;

/** A real PostgreSQL server of the tests' own, with its data in a temporary folder. */
export class Postgres {
  readonly port: number;
  readonly data: string;
  readonly #folder: string;
  #process: ChildProcess | undefined;
  #made = 0;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.data = join(folder, 'data');
    this.port = port;
    atExit(() => this.#removeAtOnce());
  }

  static #onFolder(port: number): Postgres {
    const folder = mkdtempSync(join(tmpdir(), 'tessera-postgres-'));
    const { uid, gid } = owner();
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    return new Postgres(folder, port);
  }

  /** A server that runs on the data that `fill` gives it. */
  static async #running(fill: (server: Postgres) => Promise<void>): Promise<Postgres> {
    for (let times = 1; ; times += 1) {
      const server = Postgres.#onFolder(await freePort());
      try {
        await fill(server);
        await server.resume();
        return server;
      } catch (error) {
        await server.remove();
        // A port that was free may be somebody's by now.
        if (times === TRIES || !(error as Error).message.includes('Address already in use')) throw error;
      }
    }
  }

  /** A new server, running. `settings` are lines for its configuration. */
  static start(...settings: string[]): Promise<Postgres> {
    const words = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
    return Postgres.#running(async (server) => {
      await server.#tool('initdb', '--pgdata', server.data, ...words);
      server.configure('fsync = off', 'max_wal_senders = 5', ...settings);
    });
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** A running hot standby of this server. */
  standby(name: string): Promise<Postgres> {
    const source = `host=127.0.0.1 port=${this.port} user=postgres application_name=${name}`;
    const words = ['--checkpoint=fast', '--no-sync', '--write-recovery-conf', '--wal-method=stream'];
    return Postgres.#running((standby) =>
      standby.#tool('pg_basebackup', '--pgdata', standby.data, '--dbname', source, ...words),
    );
  }

  /** Adds lines to the configuration, in force from the next start or {@link reload} on. */
  configure(...lines: string[]): void {
    appendFileSync(join(this.data, 'postgresql.conf'), `${lines.join('\n')}\n`);
  }

  /** Has the server read its configuration again; from then on every statement goes by it. */
  async reload(): Promise<void> {
    const readAt = async () => (await this.ask('SELECT pg_conf_load_time()::text AS at'))[0]?.at;
    const before = await readAt();
    await this.ask('SELECT pg_reload_conf()');
    await until('the configuration is read', async () => (await readAt()) !== before);
    // Which commits wait for a standby is told to all by the process that makes checkpoints, when it has read it, too.
    await this.ask('CHECKPOINT');
  }

  /** The URL of a database, for the user that may do everything. */
  url(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  /** The URL of a database of its own. `options` are those of CREATE DATABASE. */
  async freshDatabase(options = ''): Promise<string> {
    const name = this.#freshName();
    await this.ask(`CREATE DATABASE ${name} ${options}`);
    return this.url(name);
  }

  /** The URL of a schema of its own, which is made quicker than a database. */
  async freshSchema(): Promise<string> {
    const name = this.#freshName();
    await this.ask(`CREATE SCHEMA ${name}`);
    return `${this.url('postgres')}?options=${encodeURIComponent(`-c search_path=${name}`)}`;
  }

  /** Runs statements as the user that may do everything, on a connection of their own. */
  async ask(sql: string, url = this.url('postgres')): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      const result = await client.query(sql);
      return Array.isArray(result) ? result.at(-1).rows : result.rows;
    } finally {
      await client.end();
    }
  }

  /** Starts the server again, and waits until it takes connections. */
  async resume(): Promise<void> {
    const words = ['-D', this.data, '-p', String(this.port), '-h', '127.0.0.1', '-k', this.#folder];
    const log = join(this.#folder, 'log');
    const output = openSync(log, 'w');
    const child = spawn(join(binaries as string, 'postgres'), words, {
      ...owner(),
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', output],
    });
    closeSync(output);
    this.#process = child;
    // Another server may answer on a port that was taken meanwhile.
    const answers = async () => (await this.ask('SHOW data_directory'))[0]?.data_directory === this.data;
    await until('PostgreSQL takes connections', async () => child.exitCode !== null || (await answers()));
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended: ${readFileSync(log, 'utf8').trim()}`);
  }

  /** Stops the server: `immediate` is as a crash would. */
  async stop(mode: 'fast' | 'immediate'): Promise<void> {
    await this.#end(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
  }

  /** Makes a standby the primary, and waits until it is. */
  async promote(): Promise<void> {
    await this.ask('SELECT pg_promote()');
  }

  /** Ends the server and removes its data. */
  async remove(): Promise<void> {
    await this.#end('SIGQUIT');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** A run that is cut short leaves nothing behind, and can wait for nothing but a program. */
  #removeAtOnce(): void {
    const words = ['stop', '--mode=immediate', '--pgdata', this.data];
    const manner = { ...owner(), cwd: this.#folder, stdio: 'ignore' } as const;
    try {
      if (this.#isRunning()) execFileSync(join(binaries as string, 'pg_ctl'), words, manner);
    } catch {
      // It has barely begun, or ended by the same signal.
      this.#process?.kill('SIGKILL');
    }
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }

  #isRunning(): boolean {
    const child = this.#process;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (!this.#isRunning()) return;
    const child = this.#process as ChildProcess;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  #freshName(): string {
    this.#made += 1;
    return `fresh_${this.#made}`;
  }

  async #tool(name: string, ...words: string[]): Promise<void> {
    await run(join(binaries as string, name), words, { ...owner(), cwd: this.#folder });
  }
}

type Body = (t: TestContext, server: Postgres) => Promise<void>;
type Tests = (name: string, body: Body) => void;

async function testsOn(start: () => Promise<Postgres>): Promise<Tests> {
  const why = whyNoPostgres();
  if (why !== undefined) return (name) => void test(name, (t) => t.skip(why));
  const server = await start();
  after(() => server.remove());
  return (name, body) => void test(name, (t) => body(t, server));
}

let shared: Promise<Postgres> | undefined;

/**
 * Tests on the server that all files of this process share: each test makes a schema or a database of its own, and leaves the
 * server running as it was. Where none can be started the tests are skipped, and say why.
 */
export function testsOnPostgres(): Promise<Tests> {
  return testsOn(() => {
    shared ??= Postgres.start();
    return shared;
  });
}

/** The same on a server for one file, which may configure and stop it. `settings` are lines for its configuration. */
export function testsOnOwnPostgres(...settings: string[]): Promise<Tests> {
  return testsOn(() => Postgres.start(...settings));
}
