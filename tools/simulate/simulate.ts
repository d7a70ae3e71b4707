import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { hashPassword } from '../../src/core/identity/password-hash.ts';
import { invariantViolations } from '../../src/core/invariants.ts';
import { hashCostIn, lifetimeIn } from '../../src/core/settings/derived.ts';
import type { Store } from '../../src/core/storage/store.ts';
import { readSettings } from '../../src/main/settings.ts';
import { type Counterexample, check, lineOf } from '../../test/histories/check.ts';
import { LOCKS_AFTER, logIn, validate } from './clients.ts';
import { commands } from './commands.ts';
import { PLACES, type PlaceName } from './places.ts';
import { VirtualTime } from './virtual-time.ts';
import { FIRST_PASSWORD, type Ground, INSTANCES, NotClosed, World } from './world.ts';

/** What a simulation has done so far. */
export interface Tally {
  runs: number;
  /** Turns that were taken: the steps of units, hashes, requests and commands. */
  steps: number;
  operations: number;
  answers: number;
  faults: number;
  crashes: number;
  /** A digest of every step of every run, in their order. */
  digest: string;
}

const ENVIRONMENT = {
  TESSERA_HASH_MEMORY: '8',
  TESSERA_HASH_PASSES: '1',
  TESSERA_HASH_DEADLINE: 'PT60S',
  TESSERA_TICKET_IDLE: 'PT30M',
  TESSERA_TICKET_AGE: 'PT2H',
  // Every wait but the lock-out is off: a refusal for any other reason would say nothing of tickets.
  TESSERA_THROTTLE_AFTER: '0',
  TESSERA_LOCKOUT_THRESHOLD: String(LOCKS_AFTER),
};

/** How many runs each seed has. */
const RUNS = 10;

/** By how many schedules a list of commands is tried that may be a smaller one that fails. */
const SCHEDULES = 4;

/** Takes one step, and lets all that follows from it happen until everything waits for its turn again. */
async function toItsEnd(step: () => Promise<void>): Promise<void> {
  await step();
  await turn();
}

/** The same where servers answer: some of what follows comes later. */
async function withServers(step: () => Promise<void>): Promise<void> {
  await step();
  await pause(1);
}

/** Logs each user in, before anything else happens. */
async function eachHasTicket(world: World): Promise<void> {
  const stores = world.instances.map(({ store }) => store);
  for (const store of stores) store.waits = false;
  for (const [at, user] of world.users.entries()) await logIn(world, at, user, 0);
  for (const store of stores) store.waits = true;
}

/** What a run found. */
export interface Finding {
  readonly commands: readonly string[];
  readonly fault: string;
  /** Missing if a request failed in another way. */
  readonly counterexample: Counterexample | undefined;
}

/** Thrown when no order explains the history of a run. */
class Unexplained extends Error {
  override name = 'Unexplained';
  readonly counterexample: Counterexample;

  constructor(counterexample: Counterexample) {
    super(lineOf(counterexample));
    this.counterexample = counterexample;
  }
}

/** How often each invariant was violated so far, by instances that crashed too. */
const violationsNow = () =>
  [...invariantViolations()].map(([invariant, times]) => `${invariant} ${times}`).join(', ');

/** Instances on one store, and what happens to them, chosen by seeds. */
export class Simulation implements AsyncDisposable {
  readonly tally: Tally = {
    runs: 0,
    steps: 0,
    operations: 0,
    answers: 0,
    faults: 0,
    crashes: 0,
    digest: '',
  };
  readonly #ground: Ground;
  readonly #folder: string;

  private constructor(ground: Ground, folder: string) {
    this.#ground = ground;
    this.#folder = folder;
  }

  /** Opens a place. On memory, this replaces the time of the process. `plant` puts a fault between the instances and their store. */
  static async open(name: PlaceName, plant = (store: Store) => store): Promise<Simulation> {
    const folder = mkdtempSync(join(tmpdir(), 'tessera-simulation-'));
    // Without a key of their own, counters would lie elsewhere in each process.
    writeFileSync(join(folder, 'throttle-key'), '5e'.repeat(32));
    const { settings } = readSettings({ flags: {}, env: { ...ENVIRONMENT, TESSERA_DATA: folder } });
    const passwordHash = await hashPassword(FIRST_PASSWORD, hashCostIn(settings));
    const place = await PLACES[name]();
    const time = place.isRepeatable ? new VirtualTime() : undefined;
    time?.install();
    return new Simulation(
      { settings, lifetime: lifetimeIn(settings), place, time, passwordHash, plant },
      folder,
    );
  }

  /** Does the runs of a seed. Searches for a shorter list that fails with so many runs, and returns it; undefined if nothing fails. */
  async run(seed: number, tries: number): Promise<Finding | undefined> {
    const scheduler = fc.scheduler({ act: this.#ground.place.isRepeatable ? toItsEnd : withServers });
    const schedulers = fc.tuple(...Array.from({ length: SCHEDULES }, () => scheduler));
    let left = Number.POSITIVE_INFINITY;
    const property = fc.asyncProperty(commands, schedulers, async (list, each) => {
      // A shorter list takes other turns by the same numbers, so that it fails by one schedule and not by another.
      const isShrinking = Number.isFinite(left);
      for (const one of isShrinking ? each : each.slice(0, 1)) {
        left -= 1;
        if (left < 0) return;
        await this.#runOnce(list, one).catch((fault) => {
          left = Math.min(left, fault instanceof NotClosed ? 0 : tries);
          throw fault;
        });
      }
    });
    const { counterexample, errorInstance } = await fc.check(property, {
      seed,
      numRuns: RUNS,
      unbiased: true,
    });
    if (counterexample === null) return undefined;
    const [list] = counterexample;
    return {
      commands: [...list].map(String),
      fault:
        errorInstance instanceof Unexplained ? errorInstance.message : ((errorInstance as Error).stack ?? ''),
      counterexample: errorInstance instanceof Unexplained ? errorInstance.counterexample : undefined,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#ground.place.remove();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #runOnce(list: Iterable<fc.AsyncCommand<World, World>>, scheduler: fc.Scheduler): Promise<void> {
    const world = await World.begin(this.#ground, scheduler);
    const before = violationsNow();
    try {
      await eachHasTicket(world);
      await fc.scheduledModelRun(scheduler, () => ({ model: world, real: world }), list);
      await world.settle();
      for (const { store } of world.instances) store.heal();
      for (const ticket of world.tickets)
        for (const at of INSTANCES.keys()) world.begin('last look', () => validate(world, at, ticket));
      await world.settle();
    } finally {
      this.#count(world);
      await world.end();
    }
    if (world.faults.length > 0) throw world.faults[0];
    const violations = violationsNow();
    if (violations !== before)
      throw new Error(`invariants were violated: ${before} before, ${violations} after`);
    const counterexample = check(world.history);
    if (counterexample !== undefined) throw new Unexplained(counterexample);
  }

  #count({ log, history: { intervals } }: World): void {
    const { tally } = this;
    const begins = (word: string) => log.filter((step) => step.startsWith(word)).length;
    tally.runs += 1;
    tally.steps += log.length;
    tally.operations += intervals.length;
    tally.answers += intervals.filter(({ answer }) => answer !== undefined).length;
    tally.faults += begins('fault at');
    tally.crashes += begins('crash of');
    tally.digest = hash('sha256', [tally.digest, ...log].join('\n'));
  }
}
