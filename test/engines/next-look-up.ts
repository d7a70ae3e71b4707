import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Digest, stateOf } from '../../src/core/domain/ticket.ts';
import { type Store, StoreUnavailable, type WriteUnit } from '../../src/core/storage/store.ts';
import { aDigest, addUser, aTicket, NOW } from '../core/storage/conformance/samples.ts';
import { eventually } from '../service/until.ts';
import type { Line } from './postgres/proxy.ts';

const LIFETIME = { idle: Number.POSITIVE_INFINITY, age: Number.POSITIVE_INFINITY };
/** How many users are at it at the same time. */
const LANES = 20;
/** Of so many revocations one ends the tickets of everybody. */
const ONE_OF = 300;

/** How often a test ends tickets and looks them up: 5,000 times, or as often as `NEXT_LOOK_UPS` says. */
export const ROUNDS = Number(process.env.NEXT_LOOK_UPS ?? 5_000);

/** Each way in which a ticket of this user ends. */
const REVOCATIONS: readonly ((unit: WriteUnit, digest: Digest, id: number) => Promise<unknown>)[] = [
  ({ tickets }, digest) => tickets.end(digest),
  ({ tickets }, digest) => tickets.end(digest),
  async ({ users }, _, id) => {
    const generation = ((await users.find(id))?.generation ?? 0) + 1;
    await users.change(id, { generation });
  },
  async ({ users }, _, id) => users.change(id, { disabled: true }),
];

/** What happened. */
export interface Rounds {
  /** Look-ups of a ticket that was valid, before it was revoked. */
  valid: number;
  /** Look-ups that began after a revocation was acknowledged. */
  after: number;
  /** What was not answered, because of a fault. */
  unanswered: number;
}

/** The value, or undefined if the store could not answer. */
async function orUnanswered<T>(rounds: Rounds, work: Promise<T>): Promise<{ value: T } | undefined> {
  try {
    return { value: await work };
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    rounds.unanswered += 1;
    return undefined;
  }
}

/** Issues a ticket to the user, who is enabled, and returns its digest: one that is looked up quickly. */
const issueTo =
  (userId: number, nextDigest: () => Digest) =>
  async ({ users, tickets }: WriteUnit): Promise<Digest> => {
    await users.change(userId, { disabled: false });
    const { generation = 0 } = (await users.find(userId)) ?? {};
    const serverGeneration = await tickets.serverGeneration();
    const ticket = { ...aTicket(1, { id: userId, generation }), digest: nextDigest(), serverGeneration };
    return tickets.issue(ticket, nextDigest);
  };

/**
 * Issues tickets, looks each up at every instance until it is cached there, revokes it at one of them, and looks it up at all of them
 * at once. Throws at the first look-up that finds a valid ticket although it began after the revocation was acknowledged.
 */
export async function deadForTheNextLookUp(instances: readonly Store[]): Promise<Rounds> {
  const rounds: Rounds = { valid: 0, after: 0, unanswered: 0 };
  let tickets = 0;
  const nextDigest = () => {
    tickets += 1;
    return aDigest(tickets);
  };
  const any = () => instances[randomInt(instances.length)] as Store;
  let left = ROUNDS;
  const [first] = instances as [Store];
  const lane = async (name: string) => {
    const user = await eventually(() => addUser(first, name));
    for (let round = 0; left > 0; round += 1) {
      left -= 1;
      const issued = await orUnanswered(rounds, any().write(issueTo(user.id, nextDigest)));
      if (issued === undefined) continue;
      const digest = issued.value;
      const isValid = async (store: Store) => {
        const found = await store.read((unit) => unit.tickets.find(digest));
        return found !== undefined && stateOf(found, NOW, LIFETIME) === 'valid';
      };
      for (let times = 1; times <= 3; times += 1)
        for (const seen of await Promise.all(instances.map((store) => orUnanswered(rounds, isValid(store)))))
          if (seen?.value) rounds.valid += 1;
      const meanwhile = instances.map((store) => orUnanswered(rounds, isValid(store)));
      const revoke = REVOCATIONS[randomInt(REVOCATIONS.length)] as (typeof REVOCATIONS)[number];
      const everybody = randomInt(ONE_OF) === 0;
      const revoked = await orUnanswered(
        rounds,
        any().write((unit) =>
          everybody ? unit.tickets.raiseServerGeneration() : revoke(unit, digest, user.id),
        ),
      );
      // Nobody knows whether a unit that was not acknowledged is committed, or will be.
      if (revoked !== undefined)
        await Promise.all(
          instances.map(async (store, at) => {
            const seen = await orUnanswered(rounds, isValid(store));
            assert.notEqual(
              seen?.value,
              true,
              `ticket ${round} of ${name} is valid at instance ${at}: ${revoke}`,
            );
            if (seen !== undefined) rounds.after += 1;
          }),
        );
      await Promise.all(meanwhile);
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, number) => lane(`user ${number}`)));
  return rounds;
}

/** Does `work` while one of these lines after the other stands still for a moment, and now and then is cut. */
export async function whileDisturbed<T>(lines: readonly [Line, Line], work: () => Promise<T>): Promise<T> {
  const ending = new AbortController();
  const disturb = async () => {
    for (let times = 1; !ending.signal.aborted; times += 1) {
      const line = lines[times % 2] as Line;
      line.freeze();
      await pause(randomInt(15));
      line.thaw();
      if (times % 20 === 0) line.cut();
      await pause(randomInt(15));
    }
  };
  const disturbed = disturb();
  try {
    return await work();
  } finally {
    ending.abort();
    await disturbed;
  }
}
