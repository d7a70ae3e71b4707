import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLog } from '../../src/core/telemetry/log.ts';
import { startService } from '../../src/main/main.ts';
import { readSettings } from '../../src/main/settings.ts';

/** The password of each user of the example. */
export const EXAMPLE_PASSWORD = 'four quiet rivers meeting';

/** The moment that the example shows, in epoch milliseconds. */
export const EXAMPLE_NOW = Date.UTC(2026, 2, 4, 10, 30);

/** A service with some people, a week of sign-ins, and a clock that stands still. */
export interface ExampleService {
  /** Such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** Signs in from the machine itself, and gives the ticket. */
  signIn(name: string): Promise<string>;
  /** Makes a user a member of a group. */
  join(group: string, name: string): Promise<void>;
  /** Stops the service and removes its data. */
  stop(): Promise<void>;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const PEOPLE = [
  ['anna', 'Anna', 'Schmidt', 'Editor'],
  ['ben', 'Ben', 'Okafor', 'Accountant'],
  ['chloe', 'Chloé', 'Martin', 'Designer'],
  ['david', 'David', 'Kim', 'Support'],
  ['elif', 'Elif', 'Yılmaz', 'Editor'],
  ['farid', 'Farid', 'Haddad', 'Lawyer'],
  ['grace', 'Grace', 'Nakamura', 'Developer'],
  ['henrik', 'Henrik', 'Larsen', 'Sales'],
] as const;

const GROUPS = [
  { name: 'staff', displayName: 'All staff', members: PEOPLE.map(([name]) => name) },
  { name: 'editors', displayName: 'Editors', members: ['anna', 'elif'] },
  { name: 'finance', displayName: 'Finance', members: ['ben', 'farid'] },
];

const APP_PASSWORDS = [
  ['anna', { name: 'scanner', addresses: ['192.0.2.0/24'], expiresAt: '2027-01-31T00:00:00Z' }],
  ['ben', { name: 'spreadsheet' }],
] as const;

const SETTINGS = {
  ...{ TESSERA_PORT: '0', TESSERA_METRICS_PORT: '0', TESSERA_HASH_MEMORY: '8', TESSERA_HASH_PASSES: '1' },
  ...{
    TESSERA_ADMIN_PASSWORD: EXAMPLE_PASSWORD,
    TESSERA_THROTTLE_AFTER: '0',
    TESSERA_LOCKOUT_THRESHOLD: '10',
  },
  // So that sign-ins can come from several addresses.
  TESSERA_TRUSTED_PROXIES: '127.0.0.1',
  TESSERA_GATE_URI_HEADER: 'X-Forwarded-Uri',
};

/** What the gate lets through. */
const RULES = {
  rules: [
    { host: 'wiki.example.org', title: 'Wiki', allow: 'signed-in' },
    { host: 'localhost', path: '/reports', title: 'Reports', allow: { groups: ['editors'] } },
  ],
};

/** Calls of the service as its administrator, and logins. */
class Calls {
  readonly #url: string;
  #ticket = '';

  constructor(url: string) {
    this.#url = url;
  }

  /** Gives the ticket; undefined if the login is refused. */
  async logIn(username: string, password: string, from: string): Promise<string | undefined> {
    const response = await fetch(`${this.#url}/alfresco/service/api/login`, {
      method: 'POST',
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/148.0', 'x-forwarded-for': from },
      body: JSON.stringify({ username, password }),
    });
    return response.ok ? ((await response.json()) as { data: { ticket: string } }).data.ticket : undefined;
  }

  /** Logs in as the administrator, whose ticket the changes carry. */
  async begin(): Promise<void> {
    this.#ticket = (await this.logIn('admin', EXAMPLE_PASSWORD, '192.0.2.1')) ?? '';
  }

  async change(method: 'POST' | 'PUT' | 'PATCH', path: string, body?: object): Promise<void> {
    const response = await fetch(`${this.#url}/api/admin${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#ticket}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  }

  join(group: string, name: string): Promise<void> {
    return this.change('PUT', `/groups/${group}/users/${name}`);
  }
}

async function addPeople(calls: Calls): Promise<void> {
  const admin = { firstName: 'Alex', lastName: 'Weber', email: 'alex@example.org' };
  await calls.change('PATCH', '/users/admin', admin);
  for (const [userName, firstName, lastName, jobTitle] of PEOPLE) {
    const profile = { firstName, lastName, jobTitle, email: `${userName}@example.org` };
    const password = { password: EXAMPLE_PASSWORD, mustChangePassword: userName === 'grace' };
    await calls.change('POST', '/users', { userName, ...password, ...profile });
  }
  for (const { members, ...group } of GROUPS) {
    await calls.change('POST', '/groups', group);
    for (const member of members) await calls.join(group.name, member);
  }
  await calls.change('PATCH', '/users/henrik', { disabled: true });
  for (const [userName, appPassword] of APP_PASSWORDS)
    await calls.change('POST', `/users/${userName}/app-passwords`, appPassword);
  await calls.change('POST', '/clients', { name: 'api-gateway' });
  await calls.change('PUT', '/applications/grafana', {
    ...{ title: 'Grafana', redirectUris: ['https://grafana.example.org/login/generic_oauth'] },
    ...{ groups: ['editors'], trusted: true },
  });
  await calls.change('POST', '/api-keys', { name: 'deploy', role: 'operator' });
}

/** How many people sign in during the hour that begins at this moment: most on working days. */
function signInsDuring(at: number): number {
  const moment = new Date(at);
  const [day, hour] = [moment.getUTCDay(), moment.getUTCHours()];
  if (hour < 6 || hour > 18) return 0;
  return day === 0 || day === 6 ? Number(hour % 4 === 0) : 1 + ((hour * 7 + day) % 4);
}

/** A week of sign-ins and of some wrong passwords, up to now, and then attempts to guess the password of ben. */
async function signInForAWeek(calls: Calls, setClock: (now: number) => void): Promise<void> {
  let count = 0;
  for (let at = EXAMPLE_NOW - 7 * DAY; at < EXAMPLE_NOW; at += HOUR) {
    for (let each = signInsDuring(at); each > 0; each -= 1) {
      count += 1;
      setClock(at + each * 300_000);
      const person = count % (PEOPLE.length - 1);
      const password = count % 9 === 0 ? 'mistyped' : EXAMPLE_PASSWORD;
      await calls.logIn(PEOPLE[person]?.[0] ?? '', password, `192.0.2.${10 + person}`);
    }
  }
  for (let tries = 12; tries > 0; tries -= 1) {
    setClock(EXAMPLE_NOW - tries * 20_000);
    await calls.logIn('ben', `guess ${tries}`, '203.0.113.9');
  }
  setClock(EXAMPLE_NOW);
}

/** Starts the example on a free port of this machine. */
export async function startExampleService(): Promise<ExampleService> {
  const data = await mkdtemp(join(tmpdir(), 'tessera-example-'));
  let now = EXAMPLE_NOW - 8 * DAY;
  const rules = join(data, 'gate-rules.json');
  await writeFile(rules, JSON.stringify(RULES));
  const env = { ...SETTINGS, TESSERA_DATA: data, TESSERA_GATE_RULES: rules };
  const { settings, inEffect } = readSettings({ flags: {}, env });
  const start = () =>
    startService(settings, { onTerminal: false, log: openLog('error'), clock: () => now, inEffect });
  const filling = await start();
  const calls = new Calls(filling.url);
  await calls.begin();
  await addPeople(calls);
  await signInForAWeek(calls, (moment) => {
    now = moment;
  });
  await filling.stop();
  // A service counts its live tickets when it starts.
  const service = await start();
  const logins = new Calls(service.url);
  return {
    url: service.url,
    async signIn(name) {
      const ticket = await logins.logIn(name, EXAMPLE_PASSWORD, '192.0.2.1');
      if (ticket === undefined) throw new Error(`${name} cannot sign in`);
      return ticket;
    },
    async join(group, name) {
      await logins.begin();
      await logins.join(group, name);
    },
    async stop() {
      await service.stop();
      await rm(data, { recursive: true, force: true });
    },
  };
}
