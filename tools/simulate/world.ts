import { hash } from 'node:crypto';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { Scheduler } from 'fast-check';
import type { Lifetime } from '../../src/core/domain/ticket.ts';
import { newUser } from '../../src/core/domain/user.ts';
import { newApiKey } from '../../src/core/identity/client-secret.ts';
import type { Settings } from '../../src/core/settings/table.ts';
import type { Store } from '../../src/core/storage/store.ts';
import { type Answer, type Call, type CallBy, History } from '../../test/histories/record.ts';
import { Instance, type Request, type Said } from './instance.ts';
import type { Place } from './places.ts';
import type { VirtualTime } from './virtual-time.ts';

/** What all runs of a process share. */
export interface Ground {
  readonly settings: Settings;
  readonly lifetime: Lifetime;
  readonly place: Place;
  /** The time of a place that is repeatable. */
  readonly time: VirtualTime | undefined;
  /** The hash of {@link FIRST_PASSWORD}. */
  readonly passwordHash: string;
  /** What a test puts between the instances and the store. */
  readonly plant: (store: Store) => Store;
}

/** A user of the simulation. */
export interface User {
  readonly name: string;
  /** Every password that was ever set, answered or not. The last one is most likely right. */
  readonly passwords: string[];
  /** Logins that may have counted as failures. */
  failures: number;
  /** Whether failures may have locked the user out. */
  mayBeLocked: boolean;
}

/** A ticket, and what is known of its end by the clock. */
export interface Ticket {
  readonly text: string;
  readonly user: User;
  /** It was issued between its login's call and return. */
  readonly issuedFrom: number;
  readonly issuedBy: number;
  usedAt: number;
  underway: number;
  /** Its expiry, once that may have happened. */
  expiry: Call | undefined;
  isExpired: boolean;
}

export const INSTANCES = ['A', 'B', 'C'] as const;
const USERS = ['ada', 'bob'] as const;
export const FIRST_PASSWORD = 'password-0';
/** Milliseconds by which the end of a ticket is known. */
const MARGIN = 60_000;

/** Milliseconds in which all instances close at the end of a run, where servers answer. */
const CLOSED_WITHIN = 30_000;

/** Thrown when an instance does not close: the run says nothing more. */
export class NotClosed extends Error {
  override name = 'NotClosed';
}

let runs = 0;

/** One run: its users, instances and clients, and all that happens. */
export class World {
  readonly scheduler: Scheduler;
  readonly history: History;
  readonly users: readonly User[];
  readonly tickets: Ticket[] = [];
  readonly instances: Instance[] = [];
  /** Every step, in its order. */
  readonly log: string[] = [];
  /** What went wrong beside the history. */
  readonly faults: unknown[] = [];
  readonly apiKey: string;
  readonly #ground: Ground;
  readonly #digest: Buffer;
  readonly #run: number;
  readonly #closing: Promise<unknown>[] = [];
  #underway = 0;
  #drawn = 0;
  #clients = 0;
  #shift = 0;

  private constructor(ground: Ground, scheduler: Scheduler) {
    this.#ground = ground;
    this.scheduler = scheduler;
    runs += 1;
    this.#run = ground.place.isRepeatable ? 0 : runs;
    this.history = new History(() => this.now());
    this.users = USERS.map((name) => ({
      name: `${name}-${this.#run}`,
      passwords: [FIRST_PASSWORD],
      failures: 0,
      mayBeLocked: false,
    }));
    const { key, digest } = newApiKey(hash('sha256', `key ${this.#run}`, 'buffer'));
    this.apiKey = key;
    this.#digest = digest;
  }

  /** The users with a ticket each, and all instances. */
  static async begin(ground: Ground, scheduler: Scheduler): Promise<World> {
    ground.time?.reset();
    ground.place.begin();
    const world = new World(ground, scheduler);
    for (const _ of INSTANCES) await world.#start(world.instances.length);
    await world.#fill();
    return world;
  }

  /** Epoch milliseconds. */
  now = (): number => Date.now() + this.#shift;

  /** The address of a client that nobody has seen before: no user is familiar there. */
  freshAddress(): string {
    this.#clients += 1;
    return `10.${this.#clients >> 16}.${(this.#clients >> 8) & 255}.${this.#clients & 255}`;
  }

  /** Begins what a client does. It goes on beside everything else, and ends when its steps had their turns. */
  begin(what: string, work: () => Promise<void>): void {
    this.log.push(what);
    this.#underway += 1;
    work()
      .catch((fault) => this.faults.push(fault))
      .finally(() => {
        this.#underway -= 1;
      });
  }

  /** Asks an instance, and records call and return. A request that the crash of its instance cuts off returns without an answer. */
  async ask(at: number, operation: CallBy | undefined, request: Request): Promise<Said> {
    const { name } = this.instances[at] as Instance;
    const call = operation && this.history.call(operation);
    const said = await this.tryToAsk(at, request);
    this.log.push(`${name} → ${operation?.act ?? request.operation.method}: ${said?.answer ?? 'no answer'}`);
    if (said !== undefined) {
      const value = said.value as { ticket?: string } | undefined;
      const issued = operation?.act === 'login' && said.answer === 'yes' ? value?.ticket : undefined;
      call?.returned(said.answer, ...(issued === undefined ? [] : [issued]));
    }
    return said;
  }

  /** Asks an instance. Undefined if it crashes meanwhile. */
  async tryToAsk(at: number, request: Request): Promise<Said> {
    const instance = this.instances[at] as Instance;
    return Promise.race([instance.ask(request), instance.crashed]);
  }

  /** An instance is gone, and another one takes its place. */
  async crash(at: number): Promise<void> {
    const old = this.instances[at] as Instance;
    this.#closing.push(old.crash());
    // In memory it locks nothing, and comes at the same step each time. Else it may wait for a unit that waits for its turn.
    if (this.#ground.time !== undefined) await this.#start(at);
    else this.begin(`start of ${old.name}`, () => this.#start(at));
  }

  /** Moves the clock of all on. Timers that become due begin. */
  advance(by: number): void {
    this.#expire(by);
    const { time } = this.#ground;
    if (time === undefined) this.#shift += by;
    else time.advance(by);
    for (const user of this.users) if (user.mayBeLocked) this.#mayUnlock(user);
    for (const ticket of this.tickets) this.#returnExpiry(ticket);
  }

  /** A ticket that a client has from now on. It may have been issued long before its answer. */
  add(ticket: Ticket): void {
    this.tickets.push(ticket);
    this.#expire(0);
  }

  /** Whether it is unknown if this ticket has ended by the clock. */
  isInDoubt = ({ expiry, isExpired }: Ticket): boolean => expiry !== undefined && !isExpired;

  /** Lets everything end that was begun. */
  async settle(): Promise<void> {
    for (;;) {
      await turn();
      if (this.scheduler.count() > 0) await this.scheduler.waitOne();
      else if (this.#underway === 0) return;
      else if (this.#ground.time === undefined) await pause(1);
      else if (!this.#ground.time.advanceToNext()) throw new Error('requests wait, and nothing goes on');
    }
  }

  /** Closes everything. What an instance that crashed still does in its store takes its turns meanwhile. */
  async end(): Promise<void> {
    let isOpen = true;
    const all = [
      ...this.instances.filter(({ store }) => !store.isDead).map((instance) => instance.stop()),
      ...this.#closing,
    ];
    const closed = Promise.all(all).finally(() => {
      isOpen = false;
    });
    const giveUpAt = this.#ground.time === undefined ? performance.now() + CLOSED_WITHIN : undefined;
    while (isOpen) {
      if (this.scheduler.count() > 0) await this.scheduler.waitOne();
      await turn();
      if (giveUpAt !== undefined && performance.now() > giveUpAt)
        throw new NotClosed(
          `an instance did not close in ${CLOSED_WITHIN} ms, after: ${this.log.slice(-20).join('; ')}`,
        );
    }
    await closed;
  }

  async #start(at: number): Promise<void> {
    const { settings, place, lifetime, plant } = this.#ground;
    const store = plant(await place.open({ lifetime, clock: this.now }));
    this.instances[at] = await Instance.start(INSTANCES[at] as string, store, {
      settings,
      clock: this.now,
      random: (bytes) => this.#random(bytes),
      pass: (step) => this.#pass(step),
      slow: (step, work) => this.#slow(step, work),
      isStepwise: place.isStepwise,
    });
  }

  async #fill(): Promise<void> {
    const { settings, passwordHash } = this.#ground;
    const { store } = this.instances[0] as Instance;
    const { namesCaseSensitive } = settings;
    const addedAt = this.now();
    store.waits = false;
    await store.write(async (unit) => {
      for (const { name } of this.users)
        await unit.users.add(newUser(name, { namesCaseSensitive, passwordHash }));
      const key = { name: `simulation-${this.#run}`, digest: this.#digest, role: 'administrator' } as const;
      await unit.apiKeys.add({ ...key, addedAt, expiresAt: undefined, usedAt: undefined });
    });
    store.waits = true;
    for (const { name: user } of this.users) {
      const told = { client: 'set up', place: 'A', user };
      this.history.call({ ...told, act: 'enable' }).returned('yes');
      this.history.call({ ...told, act: 'unlock' }).returned('yes');
      this.history.call({ ...told, act: 'password', password: FIRST_PASSWORD }).returned('yes');
    }
  }

  #random(bytes: number): Buffer {
    this.#drawn += 1;
    return hash('sha256', `${this.#run} ${this.#drawn}`, 'buffer').subarray(0, bytes);
  }

  async #pass(step: string): Promise<void> {
    await this.scheduler.schedule(Promise.resolve(), step);
    this.log.push(step);
  }

  async #slow<T>(step: string, work: Promise<T>): Promise<T> {
    work.catch(() => undefined);
    const value = await this.scheduler.schedule(work, step);
    this.log.push(step);
    return value;
  }

  /** Tells the history which tickets may reach their end while the clock moves on. */
  #expire(by: number): void {
    const { idle, age } = this.#ground.lifetime;
    const then = this.now() + by + MARGIN;
    for (const ticket of this.tickets) {
      if (ticket.expiry !== undefined || then < ticket.issuedFrom + Math.min(idle, age)) continue;
      const told = { client: 'clock', place: 'all', ticket: ticket.text };
      ticket.expiry = this.history.call({ ...told, act: 'expire' });
    }
  }

  #returnExpiry(ticket: Ticket): void {
    const { idle, age } = this.#ground.lifetime;
    const now = this.now() - MARGIN;
    const isIdle = ticket.underway === 0 && now > ticket.usedAt + idle;
    if (ticket.isExpired || (!isIdle && now <= ticket.issuedBy + age)) return;
    ticket.isExpired = true;
    ticket.expiry?.returned('yes' satisfies Answer);
  }

  /** A lock-out by failures may end by the clock at any time. */
  #mayUnlock({ name }: User): void {
    this.history.call({ client: 'clock', place: 'all', act: 'unlock', user: name });
  }
}
