import { isRefusal } from '../../src/core/domain/refusal.ts';
import type { Call, Execute, Presented } from '../../src/core/gate/call.ts';
import { type HashOwner, HashPool } from '../../src/core/identity/hash-queue.ts';
import type { AnyOperation } from '../../src/core/operation.ts';
import type { Settings } from '../../src/core/settings/table.ts';
import type { Store } from '../../src/core/storage/store.ts';
import { openLog } from '../../src/core/telemetry/log.ts';
import { Metrics } from '../../src/core/telemetry/metrics.ts';
import { gateOver, passwordCheckOver, ticketRulesIn } from '../../src/main/assembly.ts';
import { openParts } from '../../src/main/main.ts';
import type { Answer } from '../../test/histories/record.ts';
import { FaultyStore, type Pass } from './faulty-store.ts';

const COUNTS = { liveTickets: () => 0, hashesWaiting: () => 0 };
/** Those of all instances: the libraries below never free what watches the event loop for one. */
const METRICS = new Metrics({ ...COUNTS, clock: Date.now }, []);

/** What an instance has of the simulation: its time, its random numbers, and what decides whose turn it is. */
export interface Surroundings {
  readonly settings: Settings;
  readonly clock: () => number;
  readonly random: (bytes: number) => Buffer;
  readonly pass: Pass;
  /** The result of slow work, once it is its turn. */
  readonly slow: <T>(step: string, work: Promise<T>) => Promise<T>;
  readonly isStepwise: boolean;
}

/** Hashes are computed, and their results come when it is their turn. */
class SimulatedHashPool extends HashPool {
  readonly #slow: Surroundings['slow'];

  constructor(slow: Surroundings['slow'], deadline: number) {
    super({ atOnce: 2, deadline });
    this.#slow = slow;
  }

  override run<T>(work: () => Promise<T>, owner: HashOwner, giveUpAt?: number): Promise<T> {
    return super.run(() => this.#slow('hashes', work()), owner, giveUpAt);
  }
}

/** Refusals that say nothing of what was asked: try again later. */
const LATER: readonly string[] = ['store_unavailable', 'passwords_unavailable', 'hash_queue_full'];
/** Refusals that are answers. Every other one is a fault of the simulation or of the service. */
const NO: readonly string[] = [
  'authentication_needed',
  'ticket_not_found',
  'login_failed',
  'old_password_wrong',
];

/** A request, as an instance is asked it. */
export interface Request {
  readonly operation: AnyOperation;
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly header?: Presented['header'];
  readonly ticket?: string;
  readonly address: string;
}

/** An answer: yes with its value, no, or undefined if it says nothing. */
export type Said = { readonly answer: Answer; readonly value: unknown } | undefined;

const nothing = () => new Promise<never>(() => undefined);

const callOf = ({ operation, path = {}, body, header, ticket, address }: Request): Call => ({
  requestId: 'simulated',
  basePath: operation.api?.basePaths?.[0] ?? '/',
  template: operation.paths[0] ?? '',
  path,
  query: {},
  body: () => ({ json: body }),
  presented: { arguments: ticket === undefined ? [] : [ticket], header },
  acceptLanguage: undefined,
  userAgent: undefined,
  address,
  crossSite: undefined,
});

/** One instance of the service, as `main/` puts it together, without servers. */
export class Instance {
  readonly name: string;
  readonly store: FaultyStore;
  /** Resolves when it crashes. */
  readonly crashed: Promise<undefined>;
  readonly #tellCrash: (_: undefined) => void;
  readonly #handlerFor: (operation: AnyOperation) => Execute;
  readonly #faults: string[];
  readonly #stop: () => Promise<void>;

  private constructor(
    name: string,
    store: FaultyStore,
    rest: { handlerFor: (operation: AnyOperation) => Execute; faults: string[]; stop: () => Promise<void> },
  ) {
    this.name = name;
    this.store = store;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.crashed = promise;
    this.#tellCrash = resolve;
    this.#handlerFor = rest.handlerFor;
    this.#faults = rest.faults;
    this.#stop = rest.stop;
  }

  /** Puts an instance together on this store. From then on each of its steps waits for its turn. */
  static async start(name: string, below: Store, surroundings: Surroundings): Promise<Instance> {
    const { settings, clock, random, pass, slow, isStepwise } = surroundings;
    const store = new FaultyStore(below, (step) => pass(`${name} ${step}`), isStepwise);
    const faults: string[] = [];
    const own = async <T>(step: string, work: Promise<T>) => (store.waits ? inTurn(step, work) : work);
    const inTurn = <T>(step: string, work: Promise<T>) =>
      slow(`${name} ${step}`, work).then((value) => (store.isDead ? nothing() : value));
    const parts = await openParts(settings, {
      onTerminal: false,
      store,
      clock,
      sweeps: false,
      log: openLog('error', { write: (line) => void faults.push(line) }),
      replacements: {
        hashPool: new SimulatedHashPool(own, settings.hashDeadline),
        passwordJudge: {
          faultOf: () => own('judges', Promise.resolve(undefined)),
          close: async () => undefined,
        },
        ticketRules: { ...ticketRulesIn(settings, clock), random },
      },
    });
    await parts.localVerifier.ready;
    const gate = gateOver(parts, passwordCheckOver(parts, METRICS), COUNTS);
    store.waits = true;
    const stop = async () => {
      store.waits = false;
      await parts.bookkeeping.close();
      await parts.capabilities.stop();
      await store.close();
    };
    return new Instance(name, store, { handlerFor: (operation) => gate.handlerFor(operation), faults, stop });
  }

  /** Performs a request. It never returns if the instance crashes before its answer. */
  async ask(request: Request): Promise<Said> {
    const { result } = await this.#handlerFor(request.operation)(callOf(request));
    if (this.store.isDead) return nothing();
    if (!isRefusal(result)) return { answer: 'yes', value: result.value };
    const { refused, reason } = result;
    if (LATER.includes(refused)) return undefined;
    if (NO.includes(refused)) return { answer: 'no', value: reason };
    throw new Error(
      `${request.operation.id} at ${this.name}: ${refused}: ${reason} ${this.#faults.join('')}`,
    );
  }

  /** It is gone in this moment, with all that it had in memory. */
  async crash(): Promise<void> {
    this.store.crash();
    this.#tellCrash(undefined);
    await this.store.close();
  }

  /** Writes what is buffered, and closes its store. */
  stop(): Promise<void> {
    return this.#stop();
  }
}
