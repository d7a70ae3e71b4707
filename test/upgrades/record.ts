import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../service/free-port.ts';
import { Postgres } from '../service/postgres.ts';
import { Redis } from '../service/redis.ts';
import { until } from '../service/until.ts';
import { ENGINES, type Engine, type Expected, type OldStore, storeFile } from './old-store.ts';
import { postgresRows, redisValues, sqliteRows } from './rows.ts';

const USAGE = 'bin/node test/upgrades/record.ts CHECKOUT [sqlite|postgres|redis …]';
const ADMIN = 'the administrator of an old store';
const PASSWORD = 'a password of an old store';
const CHANGED = 'another password of an old store';

/** A version of Tessera in a checkout with its packages, over one store. */
class OldVersion {
  readonly #bin: string;
  readonly #env: Readonly<Record<string, string>>;
  #url = '';

  constructor(checkout: string, env: Readonly<Record<string, string>>) {
    this.#bin = join(checkout, 'bin/tessera');
    this.#env = { PATH: process.env.PATH ?? '', ...env };
  }

  /** Runs a command with this standard input, and returns its standard output. */
  command(words: readonly string[], input = ''): Promise<string> {
    return new Promise((done, fail) => {
      const child = execFile(this.#bin, words, { env: this.#env }, (error, stdout, stderr) =>
        error ? fail(new Error(`${words.join(' ')}: ${stderr}`)) : done(stdout),
      );
      child.stdin?.end(input);
    });
  }

  /** Serves while `work` runs. */
  async serving(work: () => Promise<void>): Promise<void> {
    const child = spawn(this.#bin, ['serve'], { env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] });
    const lines: string[] = [];
    for (const output of [child.stdout, child.stderr])
      createInterface({ input: output }).on('line', (line) => lines.push(line));
    const url = () => /listens on (http:[^\s"]+)/.exec(lines.join('\n'))?.[1];
    try {
      await until('it listens', () => url() !== undefined || child.exitCode !== null);
      if (child.exitCode !== null) throw new Error(lines.join('\n'));
      this.#url = `${url()}`.replace(/\/$/, '');
      await work();
    } finally {
      if (child.exitCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
    }
  }

  async logIn(username: string, password = PASSWORD): Promise<string> {
    const body = JSON.stringify({ username, password });
    const response = await fetch(`${this.#url}/alfresco/service/api/login`, { method: 'POST', body });
    const text = await response.text();
    const ticket = /TICKET_[0-9a-f]+/.exec(text)?.[0];
    if (ticket === undefined) throw new Error(`no ticket for ${username}: ${response.status} ${text}`);
    return ticket;
  }

  async logOut(ticket: string): Promise<void> {
    const place = `${this.#url}/alfresco/service/api/login/ticket/${ticket}?alf_ticket=${ticket}`;
    const { status } = await fetch(place, { method: 'DELETE' });
    if (status !== 200) throw new Error(`a log-out was answered with ${status}`);
  }
}

/** Makes users, tickets and revocations with this version, and returns what holds for them from then on. */
async function livedIn(version: OldVersion): Promise<Expected> {
  const permanent = (await version.command(['users', 'add', '--help'])).includes('--permanent');
  const stays = permanent ? ['--permanent'] : [];
  const live: Record<string, string> = {};
  const dead: string[] = [];
  await version.serving(async () => {
    for (const name of ['ann', 'ben', 'carl', 'elsa', 'Jörg', 'ﬁnn'])
      await version.command(['users', 'add', name, '--password-stdin', ...stays], `${PASSWORD}\n`);
    for (const name of ['ann', 'Jörg', 'ﬁnn']) live[name] = await version.logIn(name);
    const ended = await version.logIn('ben');
    await version.logOut(ended);
    dead.push(ended, await version.logIn('carl'), await version.logIn('elsa'));
    await version.command(['users', 'disable', 'carl']);
    await version.command(['users', 'passwd', 'elsa', '--password-stdin', ...stays], `${CHANGED}\n`);
  });
  const passwords = {
    admin: ADMIN,
    ann: PASSWORD,
    ben: PASSWORD,
    elsa: CHANGED,
    Jörg: PASSWORD,
    ﬁnn: PASSWORD,
  };
  return { live, dead, passwords, refused: { carl: PASSWORD, elsa: PASSWORD } };
}

/** Records a store of this engine that the version in `checkout` made. */
async function recorded(checkout: string, engine: Engine): Promise<OldStore> {
  await using engines = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'tessera-old-'));
  engines.defer(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content, { mode: 0o600 });
    return join(folder, name);
  };
  const env: Record<string, string> = {
    TESSERA_DATA: join(folder, 'data'),
    TESSERA_PORT: String(await freePort()),
    TESSERA_METRICS_PORT: '0',
    TESSERA_ADMIN_PASSWORD: ADMIN,
    TESSERA_HASH_MEMORY: '8',
    TESSERA_HASH_PASSES: '1',
    TESSERA_LOG_LEVEL: 'info',
  };
  if (engine === 'sqlite') {
    const expected = await livedIn(new OldVersion(checkout, env));
    return { expected, ...sqliteRows(join(folder, 'data')) };
  }
  const database = await Postgres.start();
  engines.defer(() => database.remove());
  env.TESSERA_DATABASE = await database.freshDatabase();
  env.TESSERA_THROTTLE_KEY_FILE = file('key', '5'.repeat(64));
  if (engine === 'postgres') {
    const expected = await livedIn(new OldVersion(checkout, env));
    return { expected, ...(await postgresRows(database, env.TESSERA_DATABASE)) };
  }
  const redis = await Redis.start();
  engines.defer(() => redis.remove());
  env.TESSERA_TICKETS = redis.url;
  const expected = await livedIn(new OldVersion(checkout, env));
  const rows = await postgresRows(database, env.TESSERA_DATABASE);
  return { expected, ...rows, values: await redisValues(redis) };
}

const [checkout, ...engines] = process.argv.slice(2);
if (checkout === undefined || engines.some((engine) => !ENGINES.includes(engine as Engine))) {
  process.stderr.write(`Usage: ${USAGE}\n`);
  process.exit(2);
}
for (const engine of engines.length > 0 ? (engines as Engine[]) : ENGINES) {
  const store = await recorded(resolve(checkout), engine);
  writeFileSync(storeFile(engine, store.version), `${JSON.stringify(store)}\n`);
  process.stdout.write(`${engine}: schema ${store.version}\n`);
}
