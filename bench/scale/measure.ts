import { randomBytes } from 'node:crypto';
import { digestFrom } from '../../src/core/domain/ticket.ts';
import { passwordHash } from '../seeding/tickets.ts';
import type { Engine, Filled, Size } from './engine.ts';
import { digestOf, userOf } from './rows.ts';

/** Concurrent calls. */
const AT_ONCE = 64;

/** Uses of tickets in one write unit. */
const USES = 200;
/** Concurrent units of uses, as of so many instances. */
const INSTANCES = 4;

/** The rate of one kind of call. */
export interface Rate {
  readonly perSecond: number;
  /** For each CPU second of this process, which stands for an instance. */
  readonly perOwnCore: number;
  /** For each CPU second of the engine's processes; undefined for an engine without processes. */
  readonly perServerCore: number | undefined;
}

/** The results of one engine at one size. */
export interface Found {
  readonly engine: Engine;
  readonly size: Size;
  readonly fillSeconds: number;
  readonly bytesPerTicket: number;
  readonly bytesPerUser: number;
  readonly lookUps: Rate;
  readonly issues: Rate;
  /** Written uses of tickets, {@link USES} in one unit. */
  readonly uses: Rate;
}

const ownSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

const times = (factor: number, { perSecond, perOwnCore, perServerCore }: Rate): Rate => ({
  perSecond: factor * perSecond,
  perOwnCore: factor * perOwnCore,
  perServerCore: perServerCore === undefined ? undefined : factor * perServerCore,
});

async function rateOf(
  filled: Filled,
  seconds: number,
  work: () => Promise<unknown>,
  atOnce = AT_ONCE,
): Promise<Rate> {
  let [done, going] = [0, true];
  const [own, server, began] = [ownSeconds(), filled.serverSeconds(), performance.now()];
  const stop = setTimeout(() => {
    going = false;
  }, seconds * 1_000);
  const until = began + seconds * 1_000;
  const one = async () => {
    // An engine in this process never lets the timer fire, so this asks the clock as well.
    while (going && performance.now() < until) {
      await work();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  clearTimeout(stop);
  const took = (performance.now() - began) / 1_000;
  const serverTook = filled.serverSeconds() - server;
  return {
    perSecond: done / took,
    perOwnCore: done / (ownSeconds() - own),
    perServerCore: serverTook > 0 ? done / serverTook : undefined,
  };
}

/** Fills a store of this size and measures it. */
export async function measureAt(
  engine: Engine,
  size: Size,
  { seconds, folder, say }: { seconds: number; folder: string; say: (progress: string) => void },
): Promise<Found> {
  say(`${engine.name}: filling ${size.tickets} tickets of ${size.users} users`);
  const began = performance.now();
  await using filled = await engine.fill(size, folder, say);
  const fillSeconds = (performance.now() - began) / 1_000;
  const { tickets, users } = await filled.bytes();
  const anyDigest = () => {
    const number = Math.floor(Math.random() * size.tickets);
    return digestOf(number, userOf(number, size));
  };
  const lookUp = () => {
    const digest = anyDigest();
    return filled.store.read((unit) => unit.tickets.find(digest));
  };
  let usedAt = Date.now();
  const use = () => {
    usedAt += 1;
    const [at, digests] = [usedAt, Array.from({ length: USES }, anyDigest)];
    return filled.store.write(async ({ tickets }) => {
      for (const digest of digests) await tickets.use(digest, at);
    });
  };
  const issue = () => {
    const at = Date.now();
    const userId = 1 + Math.floor(Math.random() * size.users);
    const bytes = randomBytes(32);
    bytes[0] = userId % 256;
    const ticket = { digest: digestFrom(bytes), userId, userGeneration: 0, serverGeneration: 0 };
    return filled.store.write((unit) => unit.tickets.issue({ ...ticket, issuedAt: at, usedAt: at }));
  };
  say(`${engine.name}: looking up, then issuing`);
  await rateOf(filled, 1, lookUp);
  const lookUps = await rateOf(filled, seconds, lookUp);
  const issues = await rateOf(filled, seconds, issue);
  const uses = times(USES, await rateOf(filled, seconds, use, INSTANCES));
  const [bytesPerTicket, bytesPerUser] = [tickets / size.tickets, users / size.users];
  return { engine, size, fillSeconds, bytesPerTicket, bytesPerUser, lookUps, issues, uses };
}

const HASHES = 20;

/** CPU seconds of one password hash at the cost that the service has by default. */
export async function hashSeconds(): Promise<number> {
  const before = process.cpuUsage();
  for (let hash = 0; hash < HASHES; hash += 1) await passwordHash();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6 / HASHES;
}
