import assert from 'node:assert/strict';
import type { Event, RecordedEvent } from '../../../src/core/domain/event.ts';
import { isRefusal } from '../../../src/core/domain/refusal.ts';
import { newUser, type User, userKey } from '../../../src/core/domain/user.ts';
import { PasswordCheck } from '../../../src/core/identity/password-check.ts';
import type { PasswordRefusal, Verified } from '../../../src/core/identity/passwords.ts';
import { counterKeys, rulesFor } from '../../../src/core/identity/throttle-state.ts';
import type { PasswordVerdict, Verifier } from '../../../src/core/identity/verifiers/verifier.ts';
import type { CounterKeys, Store, UserChange } from '../../../src/core/storage/store.ts';
import { openMemory } from '../../engines/memory/open.ts';

/** The right password of all users. */
export const RIGHT = 'right';
export const HERE = '192.0.2.1';
export const THERE = '198.51.100.7';
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const THROTTLE_KEY = Buffer.alloc(32, 7);
const hashOf = (password: string) => `hash of ${password}`;

/** The settings of a check. What is left out is off. */
export interface Wanted {
  throttleAfter?: number;
  lockoutThreshold?: number;
  lockoutDuration?: number;
  deadline?: number;
  store?: Store;
  /** The verifiers that are asked, instead of one that compares with the stored hash. */
  verifiers?: readonly Verifier[];
  /** Runs before the verdict; it may delay it or throw. */
  beforeVerdict?: (password: string, giveUpAt: number | undefined) => Promise<void>;
  /** The renewed hash of an accepted password. */
  renewedHash?: string;
}

/** A password check over a memory store and a clock that stands still. It records what the check does. */
export class Checking {
  readonly store: Store;
  readonly check: PasswordCheck;
  /** Each password that was hashed, and the user it was compared with. */
  readonly hashed: { user: string | undefined; password: string }[] = [];
  /** The stand-in of each hash. */
  readonly standIns: (string | undefined)[] = [];
  readonly tallied: Event[] = [];
  readonly faults: unknown[] = [];
  /** How many passwords were refused. */
  refused = 0;
  now = Date.UTC(2030, 0, 1);

  constructor(wanted: Wanted = {}) {
    const {
      throttleAfter = 0,
      lockoutThreshold = 0,
      lockoutDuration = 15 * MINUTE,
      deadline = 5_000,
    } = wanted;
    this.store = wanted.store ?? openMemory();
    this.check = new PasswordCheck({
      store: this.store,
      verifiers: wanted.verifiers ?? [this.#verifier(wanted)],
      asksSecondFactor: true,
      hashNew: async (_owner, password) => hashOf(password),
      judgeNew: async () => undefined,
      rules: rulesFor({ throttleAfter, lockoutThreshold, lockoutDuration }),
      throttleKey: THROTTLE_KEY,
      namesCaseSensitive: false,
      ticketsWithoutPassword: 0,
      deadline,
      clock: () => this.now,
      onLockedOut: () => undefined,
      onRefused: () => {
        this.refused += 1;
      },
      tally: (event) => void this.tallied.push(event),
      onFault: (fault) => void this.faults.push(fault),
    });
  }

  #verifier({ beforeVerdict, renewedHash }: Wanted): Verifier {
    return {
      name: 'local',
      partIn: () => 'decides',
      verify: async ({ user, barred, standIn, giveUpAt }, password): Promise<PasswordVerdict> => {
        this.hashed.push({ user: barred ? undefined : user?.name, password });
        this.standIns.push((await standIn())?.name);
        await beforeVerdict?.(password, giveUpAt);
        const mayEnter = user !== undefined && !user.disabled && !barred;
        if (!mayEnter || user.passwordHash !== hashOf(password)) return { accepted: false };
        return { accepted: true, ...(renewedHash !== undefined && { renewedHash }) };
      },
    };
  }

  async add(name: string, different: Partial<User> = {}): Promise<User> {
    const user = newUser(name, { namesCaseSensitive: false, passwordHash: hashOf(RIGHT) });
    const added = await this.store.write((unit) => unit.users.add({ ...user, ...different }));
    return added as User;
  }

  /** Changes a user, as commands do. */
  async change(name: string, change: UserChange): Promise<void> {
    const { id } = await this.user(name);
    await this.store.write((unit) => unit.users.change(id, change));
  }

  changePassword(name: string, password: string): Promise<void> {
    return this.change(name, { passwordHash: hashOf(password), generation: 1 });
  }

  async user(name: string): Promise<User> {
    return (await this.store.read((unit) => unit.users.findByKey(userKey(name)))) as User;
  }

  events(): Promise<RecordedEvent[]> {
    return this.store.read((unit) => unit.events.list({}));
  }

  /** The keys of the counters of a name and an address. */
  keys(name: string, address: string): CounterKeys {
    return counterKeys(THROTTLE_KEY)(userKey(name), address);
  }

  /** The stored counters of a name and an address. */
  counters(name: string, address: string) {
    const keys = this.keys(name, address);
    const asked = { userKey: userKey(name), address, keys };
    return this.store.read(async ({ attempts }) => (await attempts.throttleState(asked)).counters);
  }

  /** A login, without the ticket. What its success changes is written. */
  async login(
    name: string,
    password: string | undefined,
    address = HERE,
  ): Promise<Verified | PasswordRefusal> {
    const result = await this.check.from({ address, userAgent: undefined }).check(name, password);
    const record = isRefusal(result) ? undefined : result.recordSuccess;
    if (record !== undefined) await this.store.write(record);
    return result;
  }

  /** A request with name and password. If the cache accepts it, the check with a hash must accept the same user. */
  async repeat(name: string, password: string, address = HERE): Promise<Verified | PasswordRefusal> {
    const cached = await this.fromCache(name, password, address);
    const result = await this.check.from({ address, userAgent: undefined }).checkRepeated(name, password);
    if (cached !== undefined) assert.equal(!isRefusal(result) && result.userId, cached.id);
    return result;
  }

  /** The user that the cache accepts, without a hash or a write. */
  async fromCache(name: string, password: string, address = HERE): Promise<User | undefined> {
    const check = this.check.from({ address, userAgent: undefined });
    return (await this.store.read((unit) => check.withoutHash(unit, name, password)))?.user;
  }

  /** Logs in `times` times with a wrong password. */
  async fail(times: number, name: string, address = HERE): Promise<void> {
    for (let time = 0; time < times; time += 1) await this.login(name, `wrong ${time}`, address);
  }
}

/** The outcome of an attempt: `ok`, or the refusal with its true reason and the seconds to wait. */
export function outcomeOf(result: Verified | PasswordRefusal): string {
  if (!isRefusal(result)) return 'ok';
  return [result.refused, result.reason, result.retryAfter].filter((part) => part !== undefined).join(' ');
}
