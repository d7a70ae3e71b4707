import { DIRECTORY } from '../../core/domain/external-identity.ts';
import type { PolicyFault } from '../../core/domain/password-fault.ts';
import { refuse } from '../../core/domain/refusal.ts';
import type { User } from '../../core/domain/user.ts';
import {
  ConcurrencyLimiter,
  FirstComeFirstServed,
  QueueTimeout,
} from '../../core/identity/concurrency-limiter.ts';
import type { ReadUnit, Store } from '../../core/storage/store.ts';
import { SAME_PASSWORD } from '../people/rules/own-password.ts';
import type { MayChange, OldAndNew, PasswordsElsewhere } from '../people/rules/passwords-elsewhere.ts';
import type { Directory } from './directory.ts';
import { DirectoryUnavailable } from './options.ts';
import { OutcomeUnknown } from './password-write.ts';

/** How many passwords are written at a time, and how many wait. */
const AT_ONCE = 4;
const WAITING = 50;

/** What the directory says, for programs and terminals. */
const SENTENCES: Readonly<Record<PolicyFault, string>> = {
  short: 'the directory says that it is too short: choose a longer one',
  inHistory: 'the directory says that this user had it before: choose another one',
  quality: 'the directory says that it is too easy to guess: choose another one',
  young: 'the directory says that the present one is too new to be changed: try again later',
  notAllowed: 'the directory does not allow it: ask those who look after the directory',
  refused:
    'it breaks a rule of the directory: choose a longer one with several kinds of characters, which this user did not have before',
  unanswered:
    'the directory did not answer in time, so it may have the new password or still the old one: try the new one, then the old one',
};

const faultOf = (why: PolicyFault) =>
  ({
    detail: SENTENCES[why],
    passwordFault: { code: 'policy', why, sentence: SENTENCES[why] },
  }) as const;

interface DirectoryPasswordsParts {
  readonly directory: Directory;
  readonly store: Store;
  readonly changes: boolean;
  readonly resets: boolean;
  /** Milliseconds that a new password waits for others. */
  readonly deadline: number;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/** Writes the passwords of the users of the directory there. */
export class DirectoryPasswords implements PasswordsElsewhere {
  readonly provider = DIRECTORY;
  readonly changes: boolean;
  readonly resets: boolean;
  readonly #parts: DirectoryPasswordsParts;
  readonly #limiter: ConcurrencyLimiter;

  constructor(parts: DirectoryPasswordsParts) {
    this.changes = parts.changes;
    this.resets = parts.resets;
    this.#parts = parts;
    const limits = { atOnce: AT_ONCE, deadline: parts.deadline };
    this.#limiter = new ConcurrencyLimiter(limits, new FirstComeFirstServed(WAITING));
  }

  async change(userId: number, passwords: OldAndNew, mayChange: MayChange) {
    const { clock } = this.#parts;
    if (!this.changes) return false;
    const subject = await this.#subjectOf(userId, (unit, user) => mayChange(unit, user, clock()));
    if (subject === undefined) return false;
    if (passwords.oldPassword === passwords.newPassword)
      return refuse('new_password_refused', { detail: SAME_PASSWORD.sentence, passwordFault: SAME_PASSWORD });
    return this.#write(subject, passwords);
  }

  async reset(userId: number, newPassword: string) {
    const subject = await this.#subjectOf(userId, async () => this.resets);
    if (subject === undefined) return refuse('new_password_refused', faultOf('notAllowed'));
    const outcome = await this.#write(subject, { newPassword });
    if (outcome === true || outcome.refused !== 'old_password_wrong') return outcome;
    return refuse('new_password_refused', { ...outcome, ...faultOf('notAllowed') });
  }

  /** The subject of a user of the directory, of whom this holds. */
  #subjectOf(userId: number, holds: (unit: ReadUnit, user: User) => Promise<boolean>) {
    return this.#parts.store.read(async (unit) => {
      const user = await unit.users.find(userId);
      if (user?.provider !== DIRECTORY || !(await holds(unit, user))) return undefined;
      return (await unit.externalIdentities.ofUser(userId))?.subject;
    });
  }

  async #write(subject: string, passwords: { readonly oldPassword?: string; readonly newPassword: string }) {
    try {
      const outcome = await this.#limiter.run(() => this.#parts.directory.setPassword(subject, passwords));
      if (outcome.written) return true;
      const { why } = outcome;
      const reason = `refused by the directory: ${outcome.answer}`;
      return why === 'oldPassword'
        ? refuse('old_password_wrong', { reason })
        : refuse('new_password_refused', { ...faultOf(why), reason });
    } catch (error) {
      const reason = (error as Error).message;
      if (error instanceof OutcomeUnknown)
        return refuse('passwords_unavailable', { ...faultOf('unanswered'), reason });
      if (error instanceof DirectoryUnavailable || error instanceof QueueTimeout)
        return refuse('passwords_unavailable', { retryAfter: 5, reason });
      throw error;
    }
  }
}
