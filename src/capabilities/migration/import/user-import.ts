import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { User } from '../../../core/domain/user.ts';
import { ConcurrencyLimiter, FirstComeFirstServed } from '../../../core/identity/concurrency-limiter.ts';
import {
  type HashCost,
  hashPassword,
  isStoredFrom,
  storedFrom,
} from '../../../core/identity/password-hash.ts';
import type { Sealer } from '../../../core/sealing/sealer.ts';
import type { Store, WriteUnit } from '../../../core/storage/store.ts';
import { record } from '../../../faces/cli/record.ts';
import { faultOfSubject } from '../../people/rules/external-ids.ts';
import { missingAppPasswords } from './app-passwords-in-line.ts';
import { GroupRefused, groupInLine, groupOutcome, isOfGroup, writeGroup } from './group-line.ts';
import type { FileRecord } from './records.ts';
import { type UserInLine, userInLine } from './user-line.ts';
import {
  addUserInLine,
  changeUserInLine,
  type ImportOutcome,
  isAsSaid,
  mustChange,
  type PeopleRead,
  whyNoExternalId,
} from './write-user.ts';

/** Lines to look up, hash and write together. */
const BATCH = 200;
/** Hashes of an import never time out: this is the longest delay of a timer. */
const FOREVER = 2 ** 31 - 1;

/** Options of an import of users. */
export interface UserImportOptions {
  readonly cost: HashCost;
  readonly namesCaseSensitive: boolean;
  /** Whether to replace the password and the state of existing users. */
  readonly update: boolean;
  /** Whether to accept lines without a hash. Such a user cannot log in before somebody sets a password. */
  readonly withoutHash: boolean;
  /** Whether to only check: nothing is hashed or written. */
  readonly dryRun: boolean;
  /** What encrypts the secrets of authenticator apps; undefined without keys. */
  readonly sealer?: Sealer | undefined;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/** The counts so far. */
export interface Report {
  added: number;
  updated: number;
  /** Existing users, left unchanged. */
  unchanged: number;
  /** Added users without a password. */
  withoutHash: number;
  /** Groups that lines of their own added or changed. */
  groups: number;
  refused: number;
}

/** Called while the import runs. */
interface Progress {
  onBatch(): void;
  onRefused(number: number, why: string): void;
}

/** A valid line. */
interface Wanted {
  readonly number: number;
  readonly user: UserInLine;
}

interface Hashed extends Wanted {
  /** The hash to store. Undefined if there is none. */
  readonly stored: string | undefined;
}

/** Replaces the hash that a dry run would write. */
const NOT_WRITTEN = '';

/**
 * Imports users in batches. A refused line does not affect others; existing users are skipped, unless they are to be
 * replaced.
 */
export class UserImport {
  readonly report: Report = { added: 0, updated: 0, unchanged: 0, withoutHash: 0, groups: 0, refused: 0 };
  readonly #store: Store;
  readonly #options: UserImportOptions;
  readonly #progress: Progress;
  readonly #limiter = new ConcurrencyLimiter(
    { atOnce: availableParallelism(), deadline: FOREVER },
    new FirstComeFirstServed(BATCH),
  );

  constructor(store: Store, options: UserImportOptions, progress: Progress) {
    this.#store = store;
    this.#options = options;
    this.#progress = progress;
  }

  async run(records: AsyncIterable<FileRecord>): Promise<Report> {
    let batch: Wanted[] = [];
    for await (const record of records) {
      const isGroup = 'value' in record && isOfGroup(record.value);
      const user = 'fault' in record ? record.fault : isGroup ? undefined : this.#read(record.value);
      if (typeof user === 'string') this.#refuse(record.number, user);
      else if (user !== undefined) batch.push({ number: record.number, user });
      if (batch.length < BATCH && !isGroup) continue;
      await this.#import(batch);
      batch = [];
      if (isGroup) await this.#importGroup(record.number, record.value as object);
    }
    await this.#import(batch);
    return this.report;
  }

  #read(value: unknown): UserInLine | string {
    const user = userInLine(value, this.#options.namesCaseSensitive);
    if (typeof user === 'object' && user.totpSecret !== undefined && this.#options.sealer === undefined)
      return 'has the secret of an authenticator app, and there are no keys to encrypt it: name their file in TESSERA_SECRET_KEYS_FILE';
    if (typeof user === 'string' || user.hash !== undefined || user.identity !== undefined) return user;
    if (this.#options.withoutHash) return user;
    return "has no passwordHash: leave the user out, or give --without-hash to add it all the same, for a password by 'tessera users passwd'";
  }

  #refuse(number: number, why: string): void {
    this.report.refused += 1;
    this.#progress.onRefused(number, why);
  }

  async #importGroup(number: number, value: object): Promise<void> {
    const { update, dryRun, clock } = this.#options;
    const group = groupInLine(value);
    if (typeof group === 'string') return this.#refuse(number, group);
    try {
      const outcome = dryRun
        ? await this.#store.read((unit) => groupOutcome(unit, group, update))
        : await this.#store.write(async (unit) => {
            const written = await writeGroup(unit, group, update);
            for (const event of written.events) await record(unit, clock(), event);
            return written.outcome;
          });
      if (outcome !== 'unchanged') this.report.groups += 1;
    } catch (error) {
      if (!(error instanceof GroupRefused)) throw error;
      this.#refuse(number, error.message);
    }
  }

  async #import(batch: readonly Wanted[]): Promise<void> {
    if (batch.length === 0) return;
    const found = await this.#store.read(({ users }) =>
      Promise.all(batch.map(({ user }) => users.findByKey(user.key))),
    );
    const hashed = await Promise.all(batch.map((line, index) => this.#hash(line, found[index])));
    const outcomes = this.#options.dryRun
      ? await this.#store.read((unit) =>
          Promise.all(
            hashed.map(({ user, stored }, index) => this.#outcome(unit, user, found[index], stored)),
          ),
        )
      : await this.#store.write((unit) => this.#write(unit, hashed));
    for (const [index, outcome] of outcomes.entries()) this.#count(hashed[index] as Hashed, outcome);
    this.#progress.onBatch();
  }

  /** Hashes before the write unit is opened, so that other writers do not wait. */
  async #hash(line: Wanted, existing: User | undefined): Promise<Hashed> {
    const { cost, update, dryRun } = this.#options;
    const { hash, identity } = line.user;
    const isLeft = existing === undefined ? dryRun || identity !== undefined : !update || hash === undefined;
    if (isLeft) return { ...line, stored: undefined };
    const stored = await this.#limiter.run(async () => {
      if (hash === undefined) return hashPassword(randomBytes(32).toString('base64'), cost);
      if (existing?.passwordHash !== undefined && (await isStoredFrom(hash, existing.passwordHash)))
        return undefined;
      return dryRun ? NOT_WRITTEN : storedFrom(hash, cost);
    });
    return { ...line, stored };
  }

  async #write(unit: WriteUnit, batch: readonly Hashed[]): Promise<ImportOutcome[]> {
    const outcomes: ImportOutcome[] = [];
    const now = this.#options.clock();
    for (const line of batch) outcomes.push(await this.#writeLine(unit, line, now));
    return outcomes;
  }

  async #writeLine(unit: WriteUnit, { user, stored }: Hashed, now: number): Promise<ImportOutcome> {
    const existing = await unit.users.findByKey(user.key);
    if (existing === undefined) {
      if (stored === undefined && user.identity === undefined)
        return { refused: 'names a user that was removed meanwhile: import the file again' };
      const outcome = await this.#outcome(unit, user, undefined, stored);
      return outcome === 'added' ? addUserInLine(unit, user, stored, this.#options.sealer, now) : outcome;
    }
    // A line without a hash leaves the password of an existing user, even of one that was added meanwhile.
    const replacing = user.hash === undefined ? undefined : stored;
    const outcome = await this.#outcome(unit, user, existing, replacing);
    return outcome === 'updated' ? changeUserInLine(unit, existing, user, replacing, now) : outcome;
  }

  /** The outcome of a line, for an existing or a new user. */
  async #outcome(
    unit: PeopleRead,
    user: UserInLine,
    existing: User | undefined,
    stored: string | undefined,
  ): Promise<ImportOutcome> {
    const missing = await missingAppPasswords(unit, existing, user.appPasswords, this.#options.clock());
    const fault =
      (await faultOfSubject(unit, user.identity, existing)) ??
      (await whyNoExternalId(unit, user.externalId, existing)) ??
      (typeof missing === 'string' ? missing : undefined);
    if (existing === undefined) return fault === undefined ? 'added' : { refused: fault };
    if (existing.name !== user.name)
      return {
        refused: `names a user that differs from the existing user "${existing.name}" only by case: here they would be the same, so give this one another name`,
      };
    if (!this.#options.update) return 'unchanged';
    if (fault !== undefined) return { refused: fault };
    if (existing.administrator !== (user.role === 'administrator'))
      return {
        refused: existing.administrator
          ? 'names an existing administrator without saying so: write "administrator": true, or remove the user first if it is to be none'
          : 'makes an existing user an administrator: leave "administrator" out, or remove the user first if it is to be one',
      };
    if (user.role !== undefined && user.role !== (await unit.roles.ownOf(existing.id)))
      return {
        refused:
          "gives an existing user another role: leave the role out, or change it with 'tessera users change'",
      };
    const same =
      stored === undefined &&
      missing.length === 0 &&
      existing.disabled === (user.disabled ?? existing.disabled) &&
      existing.mustChangePassword === mustChange(user, existing, stored);
    return same && (await isAsSaid(unit, existing, user)) ? 'unchanged' : 'updated';
  }

  #count({ number, user }: Hashed, outcome: ImportOutcome): void {
    if (typeof outcome === 'object') {
      this.#refuse(number, outcome.refused);
      return;
    }
    this.report[outcome] += 1;
    if (outcome === 'added' && user.hash === undefined && user.identity === undefined)
      this.report.withoutHash += 1;
  }
}
