import { DIRECTORY } from '../../core/domain/external-identity.ts';
import { requestOriginOf } from '../../core/domain/request-origin.ts';
import { faultOfName, isLockedByHand, type User, userKey } from '../../core/domain/user.ts';
import {
  ConcurrencyLimiter,
  FirstComeFirstServed,
  QueueTimeout,
} from '../../core/identity/concurrency-limiter.ts';
import {
  type PasswordVerdict,
  type VerificationRequest,
  type Verifier,
  type VerifierPart,
  VerifierUnavailable,
} from '../../core/identity/verifiers/verifier.ts';
import type { Store } from '../../core/storage/store.ts';
import { provisionExternalUser } from '../people/external-user.ts';
import type { ExternalUserRules } from '../people/rules/external-users.ts';
import type { Directory } from './directory.ts';
import { DirectoryUnavailable } from './options.ts';
import { type DirectoryPerson, endSoon } from './person.ts';

/** How many logins ask the directory at a time, and how many wait, so that neither it nor its other clients suffer. */
const AT_ONCE = 16;
const WAITING = 200;

/** What the verifier of the directory works with. */
interface DirectoryVerifierParts {
  readonly directory: Directory;
  readonly store: Store;
  readonly rules: ExternalUserRules;
  /** Whether people change their passwords here, also those whom the directory wants to. */
  readonly changesPasswords: boolean;
  /** Milliseconds that a login waits for others. */
  readonly deadline: number;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

const PASSED: PasswordVerdict = { accepted: false, passed: true };
const refused = (reason?: string): PasswordVerdict => ({ accepted: false, ...(reason && { reason }) });

/** Whether no person has this name or password. With an empty password, a bind would succeed for any name. */
const isNeverRight = (name: string, password: string) => password === '' || faultOfName(name) !== undefined;

/** Whether a local user may be taken over by the directory's person of its name. */
export const canBeTakenOver = ({ provider, passwordHash, administrator }: User) =>
  provider === undefined && passwordHash !== undefined && !administrator;

/**
 * Verifies passwords by a bind to the directory. A person who is no user yet becomes one with the first login, and each
 * login brings profile and groups up to date. A name that the directory does not know is passed on.
 */
export class DirectoryVerifier implements Verifier {
  readonly name = 'directory';
  readonly #parts: DirectoryVerifierParts;
  readonly #limiter: ConcurrencyLimiter;

  constructor(parts: DirectoryVerifierParts) {
    this.#parts = parts;
    const limits = { atOnce: AT_ONCE, deadline: parts.deadline };
    this.#limiter = new ConcurrencyLimiter(limits, new FirstComeFirstServed(WAITING));
  }

  partIn({ user }: VerificationRequest): VerifierPart {
    if (user === undefined || user.provider === DIRECTORY) return 'decides';
    return this.#parts.rules.takesLocalNames && canBeTakenOver(user) ? 'decides' : 'imitates';
  }

  async verify(request: VerificationRequest, password: string): Promise<PasswordVerdict> {
    if (isNeverRight(request.name, password)) return request.user === undefined ? PASSED : refused();
    return this.#inTurn(() => this.#verdictOn(request, password));
  }

  async imitate({ name }: VerificationRequest, password: string): Promise<void> {
    if (isNeverRight(name, password)) return;
    await this.#inTurn(async () => {
      await this.#parts.directory.find(name);
      await this.#parts.directory.imitatePasswordCheck();
    });
  }

  /** While the directory does not answer, no password was checked, so the attempt does not count. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#limiter.run(work);
    } catch (error) {
      if (error instanceof DirectoryUnavailable)
        throw new VerifierUnavailable(error.message, { counts: false, cause: error });
      if (error instanceof QueueTimeout)
        throw new VerifierUnavailable('too many logins wait for the directory', {
          counts: false,
          cause: error,
        });
      throw error;
    }
  }

  async #verdictOn(request: VerificationRequest, password: string): Promise<PasswordVerdict> {
    const { directory, rules } = this.#parts;
    const { user, name, key } = request;
    const found = await directory.find(name);
    const { person } = found;
    // Directories compare names in their own way: "anna " may find anna.
    const isNamed = person !== undefined && userKey(person.name, rules.namesCaseSensitive) === key;
    const bar = isNamed ? await this.#barOf(request, person) : undefined;
    if (!isNamed || bar !== undefined) {
      await this.#counted(directory.imitatePasswordCheck());
      if (bar !== undefined) return bar;
      if (person === undefined && found.why !== 'unknown') return refused(`${found.why} in the directory`);
      return user === undefined ? PASSED : refused('not in the directory');
    }
    const outcome = await this.#counted(directory.checkPassword(person, password));
    if (outcome.accepted) {
      const end = endSoon(outcome.endsIn, person, this.#parts.clock());
      const verdict = await this.#provision(person, request, false);
      return verdict.accepted && end ? { ...verdict, loginReason: `password expires ${end}` } : verdict;
    }
    // On a page the person chooses a new password before there is a ticket. Programs are refused.
    if (outcome.mustChange && request.onPage && this.#parts.changesPasswords)
      return this.#provision(person, request, true);
    return refused(outcome.reason ?? 'wrong-password');
  }

  /**
   * The outcome of a bind. The password may have reached a server that does not answer in time, so the attempt counts: servers
   * may delay the answer to a wrong one.
   */
  async #counted<T>(bind: Promise<T>): Promise<T> {
    try {
      return await bind;
    } catch (error) {
      if (!(error instanceof DirectoryUnavailable)) throw error;
      throw new VerifierUnavailable(error.message, { cause: error });
    }
  }

  /** The refusal of a user with any password; undefined if the password decides. */
  async #barOf(
    { user, barred }: VerificationRequest,
    { state }: DirectoryPerson,
  ): Promise<PasswordVerdict | undefined> {
    if (barred) return refused();
    if (state === 'disabled') return refused('disabled in the directory');
    if (state === 'expired') return refused('account expired in the directory');
    if (user === undefined) return undefined;
    const [identity, role] = await this.#parts.store.read((unit) =>
      Promise.all([unit.externalIdentities.ofUser(user.id), unit.roles.of(user.id)]),
    );
    if (user.disabled && !identity?.disabledThere) return refused();
    // The directory is not shown the wrong password of a local user with a role: it may be nearly the right one.
    const isLocalWithRole = user.provider === undefined && role !== undefined;
    return isLocalWithRole ? refused() : undefined;
  }

  async #provision(
    person: DirectoryPerson,
    request: VerificationRequest,
    mustChangePassword: boolean,
  ): Promise<PasswordVerdict> {
    const { directory, store, rules, clock } = this.#parts;
    const { subject, name, profile } = person;
    const groups = await directory.groupsOf(person);
    const external = { provider: DIRECTORY, subject, name, profile, groups, mustChangePassword };
    const changeOrigin = { at: clock(), ...requestOriginOf(request) };
    const provisioned = await provisionExternalUser(store, external, rules, changeOrigin);
    if ('refused' in provisioned) return refused(provisioned.refused);
    // A renamed user was not known before by the name that was typed.
    const { user } = provisioned;
    if (user.disabled) return refused('disabled');
    return isLockedByHand(user) ? refused('locked-by-hand') : { accepted: true, learned: user };
  }
}
