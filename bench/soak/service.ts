import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_KEY_BYTES } from '../../src/core/domain/api-key.ts';
import type { KeyRole } from '../../src/core/domain/role.ts';
import { newUser } from '../../src/core/domain/user.ts';
import { newApiKey } from '../../src/core/identity/client-secret.ts';
import type { Store } from '../../src/core/storage/store.ts';
import { addApplication, PROVIDER } from '../../test/capabilities/oidc-provider/relying-party.ts';
import { SECRET } from '../../test/capabilities/webhooks/receiver.ts';
import { Postgres, whyNoPostgres } from '../../test/service/postgres.ts';
import { openPostgres } from '../../test/service/stores.ts';
import { passwordHash, seed, seedStore } from '../seeding/tickets.ts';
import { type Server, startTessera } from '../servers/servers.ts';
import { collectionSettings } from './collections.ts';
import { Errands } from './errands.ts';
import { USERS } from './mix.ts';
import { startMail, startReceivers } from './receivers.ts';

/** A service that writes its memory after each full collection into `file`, and warnings and faults into `log`. */
export interface Instance extends Server {
  readonly file: string;
  readonly log: string;
}

/** What is soaked. */
export interface Service extends AsyncDisposable {
  readonly instances: readonly Instance[];
  /** What people and programs do beside the mix; undefined with the embedded store. */
  readonly errands: Errands | undefined;
  /** The connections of the database, and the number of rows of each table; undefined with the embedded store. */
  readonly database:
    | { connections(): Promise<number>; rows(): Promise<Readonly<Record<string, number>>> }
    | undefined;
  /** Sentences about what came beside answers. */
  notes(): string[];
}

/** Milliseconds between two collections by the clock. */
const COLLECT_EVERY = 20_000;
const ADMINISTRATORS = ['admin-0', 'admin-1', 'admin-2'];

async function startInstance(
  folder: string,
  name: string,
  settings: Record<string, string>,
): Promise<Instance> {
  const [file, log] = [join(folder, `collections-${name}`), join(folder, `log-${name}`)];
  const server = await startTessera(join(folder, name), settings, log);
  return { ...server, file, log };
}

/** One instance on the embedded store. */
export async function embedded(folder: string): Promise<Service> {
  await seed(join(folder, 'A'), 0, { users: USERS });
  const settings = collectionSettings(join(folder, 'collections-A'));
  const instance = await startInstance(folder, 'A', { ...settings, TESSERA_LOG_LEVEL: 'warn' });
  return {
    instances: [instance],
    errands: undefined,
    database: undefined,
    notes: () => [],
    [Symbol.asyncDispose]: () => instance[Symbol.asyncDispose](),
  };
}

async function addKey(store: Store, role: KeyRole): Promise<string> {
  const { key, digest } = newApiKey(randomBytes(API_KEY_BYTES));
  const made = { name: role, digest, role, addedAt: Date.now(), expiresAt: undefined, usedAt: undefined };
  await store.write(({ apiKeys }) => apiKeys.add(made));
  return key;
}

/** Adds everybody and everything that the errands need. */
async function furnish(url: string) {
  await seedStore(await openPostgres(url), 0, { users: USERS });
  const store = await openPostgres(url);
  const hash = await passwordHash();
  await store.write(async ({ users }) => {
    for (const name of ADMINISTRATORS)
      await users.add(newUser(name, { namesCaseSensitive: false, passwordHash: hash, administrator: true }));
  });
  const keys = {
    scim: await addKey(store, 'scim'),
    auditor: await addKey(store, 'auditor'),
    administrator: await addKey(store, 'administrator'),
  };
  const secret = (await addApplication({ store }, 'app', { trusted: true, accessTokens: 'opaque' })) ?? '';
  await store.close();
  return { keys, secret };
}

/** Everything switched on. Times are short, so that an hour shows how entries end. */
function settingsOf(folder: string, database: string, mail: string, hooks: string): Record<string, string> {
  const [keys, webhooks] = [join(folder, 'keys'), join(folder, 'webhooks.json')];
  writeFileSync(keys, randomBytes(32).toString('hex'), { mode: 0o600 });
  const receivers = ['good', 'flaky', 'dead'].map((id) => ({
    ...{ id, url: `${hooks}/${id}`, secrets: [SECRET] },
    ...(id === 'dead' && { kinds: ['user-disabled'] }),
  }));
  writeFileSync(webhooks, JSON.stringify({ webhooks: receivers }));
  return {
    ...PROVIDER,
    TESSERA_DATABASE: database,
    TESSERA_SECRET_KEYS_FILE: keys,
    TESSERA_THROTTLE_KEY_FILE: keys,
    TESSERA_PORTAL_URL: 'https://portal.example.org',
    TESSERA_SCIM: 'true',
    TESSERA_WEBHOOKS: webhooks,
    TESSERA_SMTP_URL: mail,
    TESSERA_MAIL_FROM: 'Tickets <tickets@example.org>',
    TESSERA_TICKET_IDLE: 'PT5M',
    TESSERA_EVENTS_KEEP: 'PT15M',
    TESSERA_HASH_DEADLINE: 'PT30S',
    // Full within minutes: tickets that ended stay in it until others take their place.
    TESSERA_CACHE: '500',
    TESSERA_LOG_LEVEL: 'warn',
  };
}

async function rowsOf(server: Postgres, url: string): Promise<Record<string, number>> {
  const tables = await server.ask(`SELECT relname AS name FROM pg_stat_user_tables ORDER BY 1`, url);
  const counts = tables.map(({ name }) => `SELECT '${name}' AS name, count(*)::int AS rows FROM "${name}"`);
  const rows = await server.ask(counts.join(' UNION ALL '), url);
  return Object.fromEntries(rows.map(({ name, rows: count }) => [name, count as number]));
}

/** Lines of a log that tell of faults, and the number of its other lines by their text. */
function told(log: string): string[] {
  const counts = new Map<string, number>();
  for (const line of existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []) {
    if (line === '') continue;
    const { level, msg } = JSON.parse(line) as { level: number; msg: string };
    const text = `${level >= 50 ? 'ERROR' : 'warning'}: ${msg.replace(/\d+/g, '…')}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([text, count]) => `${count} × ${text}`);
}

/** Several instances on a PostgreSQL of their own, with everything switched on. */
export async function onPostgres(folder: string, count: number): Promise<Service> {
  const why = whyNoPostgres();
  if (why !== undefined) throw new Error(why);
  await using stack = new AsyncDisposableStack();
  const server = stack.adopt(await Postgres.start('fsync = on'), (each) => each.remove());
  const url = await server.freshDatabase();
  const { keys, secret } = await furnish(url);
  const mail = stack.adopt(await startMail(), (each) => each.close());
  const receivers = stack.adopt(await startReceivers(), (each) => each.close());
  const settings = settingsOf(folder, url, mail.url, receivers.url);
  const instances: Instance[] = [];
  for (const name of ['A', 'B', 'C', 'D'].slice(0, count)) {
    const own = collectionSettings(join(folder, `collections-${name}`), COLLECT_EVERY);
    instances.push(stack.use(await startInstance(folder, name, { ...settings, ...own })));
  }
  const urls = instances.map((each) => each.url);
  const around = { urls, keys, secret, links: mail.links, administrators: ADMINISTRATORS };
  const all = stack.move();
  return {
    instances,
    errands: new Errands(around),
    database: {
      async connections() {
        const sql = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = '${url.split('/').at(-1)}'`;
        return (await server.ask(sql))[0]?.count as number;
      },
      rows: () => rowsOf(server, url),
    },
    notes: () => [
      `messages to webhooks: ${JSON.stringify(receivers.counts)}; mails with a link: ${mail.links.size}`,
      ...instances.flatMap(({ log }) => told(log)),
    ],
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
