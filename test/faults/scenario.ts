import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { History } from '../histories/record.ts';
import { Book } from './book.ts';
import type { Fleet } from './fleet.ts';
import { lastLook } from './last-look.ts';
import { MOST_MEMORY, RECOVERY, SECONDS } from './length.ts';
import { Load } from './load.ts';
import { memoryTold, told } from './told.ts';
import { assertExplained } from './verdict.ts';

/** Milliseconds of load after a fault at least: a trouble that lasts past the time of recovery has to be seen. */
const AFTER = RECOVERY + 1_000;
/** Milliseconds without trouble that do instead. */
const QUIET = 2_500;
/** Seconds of load from which on there is time for a fault more. */
const PER_ROUND = 20;

type Stage = (round: number, history: History) => Promise<void>;

/** What happens to the fleet under load. */
export interface Fault {
  /** Does harm, and mends it; resolves once the engine itself is well again. */
  readonly strike: Stage;
  /** What happens once all has recovered: the part that was lost is back, and believes what was true before. */
  readonly comesBack?: Stage;
  /** Whether it can only be done once. */
  readonly once?: boolean;
  /** Whether nothing has to recover from it. */
  readonly harmless?: boolean;
  /** Whether instances are killed, so that requests may go unanswered. */
  readonly kills?: boolean;
  /** Whether refused logins lock users out, so that no administrator may cause any. */
  readonly locksOut?: boolean;
}

/** Loads on until there was no trouble for a while, or recovery has taken too long. */
async function quiet(book: Book, well: number): Promise<void> {
  const isQuiet = () => performance.now() - Math.max(book.lastTrouble, well) > QUIET;
  while (!isQuiet() && performance.now() - well < AFTER) await pause(50);
}

/** Strikes as often as there is time for; gives the milliseconds from when the engine was well to the last trouble. */
async function struck(
  book: Book,
  history: History,
  { strike, comesBack, once, harmless }: Fault,
): Promise<number[]> {
  const rounds = once ? 1 : Math.max(1, Math.floor(SECONDS / PER_ROUND));
  const each = (SECONDS * 1_000) / rounds;
  const recoveries: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    let well = began;
    await pause(each / 3);
    for (const [at, stage] of [strike, comesBack].entries()) {
      if (stage === undefined) continue;
      if (at > 0) recoveries.push(Math.max(0, book.lastTrouble - well));
      await stage(round, history);
      well = performance.now();
      if (!harmless) await quiet(book, well);
    }
    await pause(Math.max(0, began + each - performance.now()));
    recoveries.push(Math.max(0, book.lastTrouble - well));
  }
  return recoveries;
}

/** Loads a fleet while a fault strikes, asks for all tickets, prints what came of it and judges it. Returns what it counted. */
export async function underLoad(t: TestContext, fleet: Fleet, fault: Fault): Promise<Book> {
  const [book, history] = [new Book(), new History()];
  const before = fleet.instances.map((instance) => instance.memory().now);
  const load = new Load(fleet, book, history, !fault.locksOut);
  const recoveries = await struck(book, history, fault).finally(() => load.stop());
  const undecided = await lastLook(fleet.alive, history, book);
  const memory = fleet.instances.map((instance) => instance.memory());
  t.diagnostic(told(book, undecided, recoveries));
  t.diagnostic(memoryTold(before, memory));
  for (const { name, complaints } of fleet.instances) {
    for (const complaint of complaints.most) t.diagnostic(`${name} told ${complaint}`);
  }
  assertExplained(t, history);
  assert.deepEqual(book.wrong.slice(0, 10), [], `${book.wrong.length} wrong answers`);
  assert.equal(undecided, 0, 'of some tickets an instance said nothing');
  assert.equal(book.unanswered, 0, 'a living instance gave no answer');
  if (!fault.kills) assert.equal(book.cut, 0, 'an instance was taken for killed');
  assert.ok(book.logins > 100 && book.logouts > 30, 'the load was too small to tell anything');
  assert.ok(Math.max(...recoveries) <= RECOVERY, `recovered after ${recoveries.join(', ')} ms`);
  for (const { most } of memory) assert.ok(most <= MOST_MEMORY, `an instance took ${most} MiB`);
  return book;
}
