import type { AppPassword } from '../../domain/app-password.ts';
import type { RequestClient } from '../../domain/request-origin.ts';
import { isLockedByHand, type User } from '../../domain/user.ts';
import type { ReadUnit } from '../../storage/store.ts';
import type { AcceptedUser } from '../passwords.ts';
import {
  type Attempt,
  hasSuccessToRecord,
  type Rules,
  readThrottleState,
  refusedUnhashed,
  type ThrottleState,
} from '../throttle-state.ts';

/** Whether a password was right. */
export type PasswordVerdict =
  | {
      readonly accepted: false;
      /** Whether the verifier does not decide over this login: the next one is asked. */
      readonly passed?: true;
      /** Why, for the events; without it the state of the user tells. */
      readonly reason?: string;
    }
  | {
      readonly accepted: true;
      /** A hash to store instead of the old one, which another system or other parameters made. */
      readonly renewedHash?: string;
      /** The user as it is now, if the verifier added or changed it. */
      readonly learned?: User;
      /** The app password that it was. */
      readonly appPassword?: AppPassword;
      /** What the event of the login tells of the password. */
      readonly loginReason?: string;
      /** Whether what was verified is still kept in a unit; without it the user's generation alone tells. */
      readonly isKeptIn?: (unit: ReadUnit) => Promise<boolean>;
    };

/** The login that a password belongs to. */
export interface VerificationRequest extends RequestClient {
  /** As it was typed. */
  readonly name: string;
  /** In the form in which names are compared. */
  readonly key: string;
  /** Whether it is a sign-in on a page: app passwords are for programs alone. */
  readonly onPage: boolean;
  /** Whether this user logged in from the address before, without a failure there since. */
  readonly familiar: boolean;
  readonly user: User | undefined;
  /** Whether the user is refused with any password, after the same work. */
  readonly barred: boolean;
  /** Reads a user whose hash is computed instead, if the name has none. */
  readonly standIn: () => Promise<User | undefined>;
  /** Until when the check may wait for its turn, as `performance.now()` counts. Without it the deadline of the queue holds. */
  readonly giveUpAt?: number | undefined;
}

/**
 * What a verifier does for a login.
 * - `decides`: it is asked in its turn. It accepts, refuses, or passes the login on.
 * - `imitates`: it has no say. If the login is refused it does as much work as for one of its own users, so that the time of
 *   a refusal does not tell which verifier knows the name.
 */
export type VerifierPart = 'decides' | 'imitates';

/** The verifiers as the documents call them, in the order in which a login asks them (`docs/reference/verifiers.md`). */
export const VERIFIERS = ['app password', 'local', 'directory', 'old server'] as const;

/** Verifies passwords. */
export interface Verifier {
  readonly name: (typeof VERIFIERS)[number];
  /** The form of passwords that only this verifier decides: for them no other verifier is asked, or works. */
  readonly ownForm?: RegExp;
  partIn(request: VerificationRequest): VerifierPart;
  /**
   * Its verdict on a login that it decides. Throws `QueueTimeout` when its turn does not come in time, and
   * {@link VerifierUnavailable} when a server it depends on does not answer.
   */
  verify(request: VerificationRequest, password: string): Promise<PasswordVerdict>;
  /** As `verify`, in the unit of a request. A verifier of slow work, or of another server, has none. */
  verifyIn?(
    unit: ReadUnit,
    request: Omit<VerificationRequest, 'standIn'>,
    password: string,
  ): Promise<PasswordVerdict>;
  /** Does the work of a refusal, for a login that another verifier refused. Throws as `verify` does. */
  imitate?(request: VerificationRequest, password: string): Promise<void>;
  /** Called for each password that another verifier accepted. No login waits for it. */
  noteAccepted?(request: VerificationRequest, password: string): void;
}

/** Thrown when another server has to check the password and does not answer. The client gets 503. */
export class VerifierUnavailable extends Error {
  override name = 'VerifierUnavailable';
  /** Whether the attempt counts as a failure: not if certainly no password was checked. */
  readonly counts: boolean;

  constructor(message: string, { counts = true, cause }: { counts?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.counts = counts;
  }
}

/** The request of an attempt. A user locked by hand costs the work of a refusal: a quick answer would tell that the name exists. */
export function requestOf(
  { name, key, address, userAgent, onPage, giveUpAt }: Attempt,
  { user, familiarSince }: ThrottleState,
): Omit<VerificationRequest, 'standIn'> {
  const familiar = familiarSince !== undefined;
  return { name, key, address, userAgent, onPage, familiar, user, barred: isLockedByHand(user), giveUpAt };
}

/** The verifier that alone decides over passwords of this form, if there is one. */
export function ownerOf(verifiers: readonly Verifier[], password: string): Verifier | undefined {
  return verifiers.find(({ ownForm }) => ownForm?.test(password));
}

/** The user whom this verifier accepts in a unit; undefined also if the success has something to write. */
export async function acceptedIn(
  unit: ReadUnit,
  owner: Verifier,
  attempt: Attempt,
  password: string,
  rules: Rules,
  now: number,
): Promise<AcceptedUser | undefined> {
  const state = await readThrottleState(unit, attempt, now);
  const { user } = state;
  if (user === undefined || refusedUnhashed(state, rules) || hasSuccessToRecord(state, undefined))
    return undefined;
  const verdict = await owner.verifyIn?.(unit, requestOf(attempt, state), password);
  return verdict?.accepted ? { user, appPassword: verdict.appPassword?.name } : undefined;
}

/** The verdict of these verifiers, in their order. Every refusal costs the work of all of them. */
export async function verdictOf(
  verifiers: readonly Verifier[],
  request: VerificationRequest,
  password: string,
): Promise<PasswordVerdict> {
  const owner = ownerOf(verifiers, password);
  if (owner !== undefined) return owner.verify(request, password);
  let decided: PasswordVerdict | undefined;
  const others: Verifier[] = [];
  for (const verifier of verifiers) {
    if (verifier.ownForm !== undefined) continue;
    const isAsked = decided === undefined && verifier.partIn(request) === 'decides';
    if (!isAsked) {
      others.push(verifier);
      continue;
    }
    const verdict = await verifier.verify(request, password);
    if (verdict.accepted) {
      for (const other of verifiers) if (other !== verifier) other.noteAccepted?.(request, password);
      return verdict;
    }
    if (!verdict.passed) decided = verdict;
  }
  for (const other of others) await imitate(other, request, password);
  return decided ?? { accepted: false };
}

/** As `imitate` of the verifier. The attempt counts even if that does not answer: another verifier has refused the password. */
async function imitate(verifier: Verifier, request: VerificationRequest, password: string): Promise<void> {
  try {
    await verifier.imitate?.(request, password);
  } catch (error) {
    if (!(error instanceof VerifierUnavailable)) throw error;
    throw new VerifierUnavailable(error.message, { cause: error });
  }
}
