import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { newUser } from '../../src/core/domain/user.ts';
import { hashPassword } from '../../src/core/identity/password-hash.ts';
import { afterwards } from '../service/afterwards.ts';
import { atExit } from '../service/at-exit.ts';
import { PASSWORD, temporaryFolder } from '../service/start.ts';
import { openSqlite } from '../service/stores.ts';
import { startFleet } from './fleet.ts';
import { type FloodPlan, UNDER_WAY } from './flood.ts';
import { SECONDS } from './length.ts';

/** Logins that are measured: of a user who is known, and of others who log in for the first time. */
const LOGINS = SECONDS < 60 ? 10 : 50;
const NEWCOMERS = SECONDS < 60 ? 3 : 20;
/** Milliseconds between two logins. */
const REST = 50;
/** How often the time that a login takes in quiet the slowest one may take; a busy machine is given much more. */
const MOST_TIMES = 60;

const HOME = '198.51.100.7';
/** The default cost. */
const COST = { memory: 19_456, passes: 2, lanes: 1 };
const SETTINGS = {
  TESSERA_HASH_MEMORY: String(COST.memory),
  TESSERA_HASH_PASSES: String(COST.passes),
  TESSERA_THROTTLE_AFTER: '5',
  TESSERA_TICKETS_PER_USER: '1000',
  TESSERA_TRUSTED_PROXIES: '127.0.0.1',
};

const FLOODS: readonly (Omit<FloodPlan, 'url'> & { readonly what: string })[] = [
  { what: '64 connections from one address', connections: 64, addresses: 1 },
  { what: '400 connections from one address', connections: 400, addresses: 1 },
  { what: '400 connections from 200 addresses', connections: 400, addresses: 200 },
  {
    what: '400 connections with the right password of one account, each time from another /64',
    connections: 400,
    addresses: 'random',
    account: { username: 'mallory', password: PASSWORD },
  },
];

/** A folder with the user who is measured, the account of the flood, and users who never logged in. */
async function seeded(t: TestContext): Promise<string> {
  const folder = await temporaryFolder(t);
  const store = openSqlite(folder);
  const passwordHash = await hashPassword(PASSWORD, COST);
  const newcomers = Array.from({ length: FLOODS.length * NEWCOMERS }, (_, number) => `new-${number}`);
  await store
    .write(async ({ users }) => {
      for (const name of ['ann', 'mallory', ...newcomers])
        await users.add(newUser(name, { namesCaseSensitive: false, passwordHash }));
    })
    .finally(() => store.close());
  return folder;
}

/** Milliseconds that a login took, and whether it succeeded. */
interface Timed {
  readonly took: number;
  readonly status: number | string;
}

async function logIn(url: string, username: string, from: string): Promise<Timed> {
  const began = performance.now();
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'x-forwarded-for': from },
    body: JSON.stringify({ username, password: PASSWORD }),
  });
  await answer.text();
  return { took: performance.now() - began, status: answer.status };
}

async function logInTimes(times: number, one: (time: number) => Promise<Timed>): Promise<Timed[]> {
  const all: Timed[] = [];
  for (let time = 0; time < times; time++) {
    all.push(await one(time));
    await pause(REST);
  }
  return all;
}

function percentile(all: readonly Timed[], share: number): number {
  const sorted = all.map(({ took }) => took).sort((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] as number;
}

const rightOf = (all: readonly Timed[]) => all.filter(({ status }) => status === 200).length;
const figures = (all: readonly Timed[]) =>
  `${rightOf(all)} of ${all.length}, p50 ${percentile(all, 0.5).toFixed(0)} ms, p99 ${percentile(all, 0.99).toFixed(0)} ms`;

const floods = new Set<ChildProcess>();
atExit(() => {
  for (const child of floods) child.kill('SIGKILL');
});

/** Floods until `end` is called, which returns how often it was answered what. Resolves once it is under way. */
async function startFlood(t: TestContext, plan: FloodPlan): Promise<{ end(): Promise<string | undefined> }> {
  const script = fileURLToPath(new URL('./flood.ts', import.meta.url));
  const child = spawn(process.execPath, [script, JSON.stringify(plan)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  floods.add(child);
  child.once('close', () => floods.delete(child));
  afterwards(t, () => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  assert.equal((await lines.next()).value, UNDER_WAY);
  return {
    async end() {
      child.kill('SIGTERM');
      return (await lines.next()).value;
    },
  };
}

test('one who floods the login keeps no user elsewhere from logging in', async (t) => {
  const data = await seeded(t);
  const fleet = await startFleet(t, ['A'], () => ({ ...SETTINGS, TESSERA_DATA: data }));
  const url = fleet.instances[0]?.line.url as string;
  const ann = () => logIn(url, 'ann', HOME);
  await ann();
  const quiet = await logInTimes(LOGINS, ann);
  t.diagnostic(`in quiet: ${figures(quiet)}`);
  for (const [round, { what, ...plan }] of FLOODS.entries()) {
    const flood = await startFlood(t, { url, ...plan });
    const flooded = await logInTimes(LOGINS, ann);
    const first = await logInTimes(NEWCOMERS, (time) => {
      const number = round * NEWCOMERS + time;
      return logIn(url, `new-${number}`, `198.51.${100 + round}.${time + 10}`);
    });
    t.diagnostic(
      `${what}: ${figures(flooded)}; first logins: ${figures(first)}; the flood: ${await flood.end()}`,
    );
    assert.equal(rightOf(flooded), LOGINS, what);
    assert.ok(percentile(flooded, 0.99) <= MOST_TIMES * percentile(quiet, 0.99), `${what}: too slow`);
  }
});
