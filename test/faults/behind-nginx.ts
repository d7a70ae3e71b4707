import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { makeThrottleKey } from '../../src/core/identity/throttle-key.ts';
import type { Store } from '../../src/core/storage/store.ts';
import { type Serving, serve } from '../crash/serve.ts';
import { History } from '../histories/record.ts';
import { freePort } from '../service/free-port.ts';
import { startNginx } from '../service/nginx.ts';
import { temporaryFolder } from '../service/start.ts';
import { openPostgres } from '../service/stores.ts';
import { logIn } from '../service/talk.ts';
import { until } from '../service/until.ts';
import { type Answer, Line, type Question } from './asking.ts';
import { Book } from './book.ts';
import type { Member } from './fleet.ts';
import { FormSenders, performedIn, SENDER_NAMES } from './form-senders.ts';
import { lastLook } from './last-look.ts';
import { CLIENTS, Load } from './load.ts';
import { addUsers } from './on-postgres.ts';
import { assertExplained } from './verdict.ts';

type Settings = Readonly<Record<string, string>>;

/** One of the instances behind nginx. It always has the same port, whatever runs there. */
export class Place {
  readonly port: number;
  readonly #t: TestContext;
  readonly #data: string;
  readonly #settings: Record<string, string>;
  readonly #metricsPort: number;
  #serving: Serving | undefined;

  constructor(
    t: TestContext,
    data: string,
    ports: readonly [port: number, metricsPort: number],
    settings: Settings,
  ) {
    [this.port, this.#metricsPort] = ports;
    this.#t = t;
    this.#data = data;
    const [port, metricsPort] = ports.map(String) as [string, string];
    this.#settings = { ...settings, TESSERA_PORT: port, TESSERA_METRICS_PORT: metricsPort };
  }

  /** Starts an instance here, of the version in `root` if one is given, and waits until it is ready. */
  async start(root?: string): Promise<void> {
    this.#serving = serve(this.#t, this.#data, this.#settings, 'ignore', root);
    await this.#serving.url;
    const ready = `http://127.0.0.1:${this.#metricsPort}/health/ready`;
    await until('the instance is ready', async () => (await fetch(ready)).ok);
  }

  /** Stops it as systemd and Kubernetes do, and waits for its end. */
  async stop(): Promise<void> {
    this.#serving?.kill('SIGTERM');
    await this.#serving?.ended;
  }
}

/** How many administrators follow the events meanwhile. */
const FOLLOWERS = 3;
/** Milliseconds after which they ask again for a stream that was put off. */
const RETRY = 100;

/** Which share of the requests may break off on a busy machine, where a connection may be reset before it is accepted. */
const BROKEN_OFF = 0.001;
/** How many may in a run of a few seconds, which has too few requests for a share. */
const BROKEN_OFF_ONCE = 3;

/** Asks from many addresses in turn, as the clients of a proxy do: one address may have few logins waiting. */
class LineOfMany extends Line {
  #asked = 0;

  override ask(question: Question): Promise<Answer | undefined> {
    this.#asked += 1;
    return super.ask({ ...question, from: `127.0.0.${2 + (this.#asked % CLIENTS)}` });
  }
}

/** Follows the events as an administrator until it is stopped. Each time the stream ends it begins again. */
class Follower {
  readonly #url: string;
  readonly #book: Book;
  readonly #stopping = new AbortController();
  readonly #following: Promise<void>;
  streams = 0;

  constructor(url: string, book: Book) {
    this.#url = url;
    this.#book = book;
    this.#following = this.#follow();
  }

  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#following;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping;
    const ticket = await logIn(this.#url);
    while (!signal.aborted) {
      const stream = await fetch(`${this.#url}/api/admin/events/stream?alf_ticket=${ticket}`, { signal })
        .then(async (response) => {
          // An instance that is about to stop begins no stream.
          if (response.status === 503 && response.headers.has('retry-after')) return pause(RETRY);
          if (response.status !== 200) throw new Error(`it was answered ${response.status}`);
          await response.text();
          this.streams += 1;
          return undefined;
        })
        .catch((fault: Error) => fault);
      if (stream !== undefined && !signal.aborted) this.#book.faulty(`a stream of events: ${stream.message}`);
    }
  }
}

/** As docs/how-to/behind-a-proxy.md has it, without TLS. */
const nginx = (places: readonly Place[], port: number) => `
upstream tessera {
  ${places.map((place) => `server 127.0.0.1:${place.port} max_fails=0;`).join('\n  ')}
  keepalive 64;
}
server {
  listen 127.0.0.1:${port};
  location / {
    proxy_pass http://tessera;
    proxy_http_version 1.1;
    proxy_connect_timeout 2s;
    proxy_next_upstream error;
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $remote_addr;
  }
}`;

/** The settings of two instances on one database. */
async function sharedSettings(t: TestContext, database: string): Promise<Settings> {
  const keyFile = join(await temporaryFolder(t), 'throttle-key');
  makeThrottleKey(keyFile);
  return {
    TESSERA_DATABASE: database,
    TESSERA_THROTTLE_KEY_FILE: keyFile,
    TESSERA_TRUSTED_PROXIES: '127.0.0.1',
  };
}

/**
 * Runs two instances behind nginx, which clients ask over connections that they keep, and has `replace` replace them. Hardly
 * a request may fail, no login may be done twice, and every ticket has to be as it was acknowledged. No form of a page may
 * fail, but for one that the version before breaks off, and each is performed once. `root` is that version, which runs first.
 */
export async function loadedBehindNginx(
  t: TestContext,
  database: string,
  settings: Settings,
  replace: (places: readonly Place[], settings: Settings) => Promise<void>,
  root?: string,
): Promise<void> {
  const all = { ...(await sharedSettings(t, database)), ...settings };
  const place = async () => new Place(t, await temporaryFolder(t), [await freePort(), await freePort()], all);
  const places = [await place(), await place()];
  for (const each of places) await each.start(root);
  await addUsersTo(database, root);
  const port = await freePort();
  const line = new LineOfMany(await startNginx(t, nginx(places, port), port));
  t.after(() => line.close());
  const member: Member = { name: 'nginx', alive: true, line };
  const [book, history] = [new Book(), new History()];
  const followers = Array.from({ length: FOLLOWERS }, () => new Follower(line.url, book));
  const senders = new FormSenders(line.url);
  const turns = { next: () => member, nextThree: () => [member, member, member] as const };
  const load = new Load(turns, book, history, false);
  await replace(places, all).finally(() =>
    Promise.all([load, senders, ...followers].map((each) => each.stop())),
  );
  t.diagnostic(
    `${book.answers} answers, ${book.logins} logins, ${book.logouts} log-outs; failed: ${book.wrong.length} wrong, ${book.later} times 503, ${book.unanswered} unanswered; ${followers.reduce((sum, { streams }) => sum + streams, 0)} streams; longest gap ${Math.round(book.gap.longest)} ms`,
  );
  assert.equal(await lastLook([member], history, book), 0, 'of some tickets nothing was said');
  assertExplained(t, history);
  for (const text of book.wrong.slice(0, 20)) t.diagnostic(text.slice(0, 100));
  const isBrokenOff = (text: string) => / 502 /.test(text);
  assert.deepEqual(
    book.wrong.filter((text) => !isBrokenOff(text)),
    [],
  );
  const most = Math.max(BROKEN_OFF_ONCE, book.answers * BROKEN_OFF);
  assert.ok(book.wrong.length <= most, `${book.wrong.length} requests broke off`);
  assert.deepEqual([book.later, book.unanswered], [0, 0]);
  assert.ok(book.logins > 50 && book.logouts > 20, 'the load was too small to tell anything');
  const store = await openPostgres(database);
  t.after(() => store.close());
  assert.equal(await loginsIn(store), book.logins, 'a login was done twice');
  t.diagnostic(`forms: ${JSON.stringify(senders.answered)}, failed: ${senders.faults.length}`);
  const faults = senders.faults.filter((text) => root === undefined || !isBrokenOff(text));
  assert.deepEqual(faults, []);
  assert.ok(book.wrong.length + senders.faults.length <= most, `${senders.faults.length} forms broke off`);
  const performed = await performedIn(store);
  for (const [form, answered] of Object.entries(senders.answered)) {
    const beyond = performed[form as keyof typeof performed] - answered;
    assert.ok(
      beyond >= 0 && beyond <= senders.faults.length,
      `${form}: ${beyond} were lost or performed twice`,
    );
  }
}

/** Adds the users by the code of the version in `root`, which knows the schema of the database. */
async function addUsersTo(database: string, root?: string): Promise<void> {
  const own: { openPostgres: typeof openPostgres } =
    root === undefined ? { openPostgres } : await import(join(root, 'src/storage/postgres/open.ts'));
  const store = await own.openPostgres(database);
  await addUsers(store).finally(() => store.close());
}

/** How many logins over the API the events tell of. */
async function loginsIn(store: Store): Promise<number> {
  const events = await store.read((unit) => unit.events.list({}));
  const others = ['admin', ...SENDER_NAMES];
  return events.filter(({ kind, user = '' }) => kind === 'login' && !others.includes(user)).length;
}
