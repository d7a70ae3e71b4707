import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ChangeEvent } from '../../../core/domain/event.ts';
import { isRefusal } from '../../../core/domain/refusal.ts';
import { type RequestOrigin, requestOriginOf } from '../../../core/domain/request-origin.ts';
import { faultOfName, maskedName, newUser, type User, userKey } from '../../../core/domain/user.ts';
import {
  type PasswordVerdict,
  type VerificationRequest,
  type Verifier,
  type VerifierPart,
  VerifierUnavailable,
} from '../../../core/identity/verifiers/verifier.ts';
import type { Store, WriteUnit } from '../../../core/storage/store.ts';
import { addUser } from '../../people/rules/bring-user.ts';
import { faultOfFreedName } from '../../people/rules/freed-names.ts';
import { joinNamedGroups } from '../../people/rules/groups.ts';
import { faultOfNameOfUser } from '../../people/rules/new-names.ts';
import type { OldPerson } from './old-person.ts';
import type { OldLogin, OldServer } from './old-server.ts';

/**
 * Adds a user whose password the old server accepted, with the profile and the groups of the person there, for a login of
 * this origin. Returns undefined if the user was removed here or exists already, if another person had the name lately, or if
 * no new user can have it. It does so in one write unit, so that no
 * removal comes in between. The user does not join a group that would give it a role.
 */
export function learn(
  store: Store,
  user: Omit<User, 'id'>,
  { profile, groups }: Pick<OldPerson, 'profile' | 'groups'>,
  origin: RequestOrigin,
  now: number,
): Promise<User | undefined> {
  return store.write(async (unit) => {
    if (await unit.users.wasRemoved(user.key)) return undefined;
    if ((await faultOfFreedName(unit, user.name, { externalId: undefined, now })) !== undefined)
      return undefined;
    const learned = await addUser(unit, { ...user, profile }, { reason: 'learned from the old server' });
    if (isRefusal(learned)) return undefined;
    const events = [...learned.events, ...(await joinWithoutRole(unit, learned.user, groups))];
    for (const event of events) await unit.events.append({ at: now, ...origin, ...event });
    return learned.user;
  });
}

class NotJoined extends Error {}

/** Joins these groups, unless one of them is forbidden or gives the user a role: then nothing of it stays. */
async function joinIfWithoutRole(
  unit: WriteUnit,
  user: User,
  groups: OldPerson['groups'],
): Promise<readonly ChangeEvent[] | undefined> {
  let events: readonly ChangeEvent[] | undefined;
  const fault = await unit.aside(async () => {
    const joined = await joinNamedGroups(unit, { user }, groups);
    if (isRefusal(joined) || (await unit.roles.of(user.id)) !== undefined) throw new NotJoined();
    events = joined.events;
  });
  if (fault !== undefined && !(fault instanceof NotJoined)) throw fault;
  return events;
}

async function joinWithoutRole(
  unit: WriteUnit,
  user: User,
  groups: OldPerson['groups'],
): Promise<readonly ChangeEvent[]> {
  const all = await joinIfWithoutRole(unit, user, groups);
  if (all !== undefined) return all;
  const events: ChangeEvent[] = [];
  for (const group of groups) events.push(...((await joinIfWithoutRole(unit, user, [group])) ?? []));
  return events;
}

/** Why a person of the old server cannot become a user here; undefined if it can. */
function unlearnable(person: OldPerson, key: string, namesCaseSensitive: boolean): string | undefined {
  if (person.administrator) return 'an administrator there';
  if (person.guest) return 'the guest there';
  if (userKey(person.userName, namesCaseSensitive) !== key) return 'another name there';
  return undefined;
}

/** Why no new user can have the name of this person; undefined if one can. */
async function nameFault(store: Store, { userName }: OldPerson): Promise<string | undefined> {
  const fault = await store.read((unit) => faultOfNameOfUser(unit, userName));
  return fault && 'a name that no user can have here';
}

/** A login that the two servers answer differently, for the log. Of the user it contains only the masked name. */
interface LoginDifference {
  readonly user: string;
  /** The status here without the old server. */
  readonly ours: number;
  /** The status there; undefined if it did not answer. */
  readonly theirs: number | undefined;
  /** What this server did about it. */
  readonly came: string;
}

/** What a shadow verifier works with. */
interface ShadowParts {
  readonly local: Verifier;
  readonly server: OldServer;
  readonly store: Store;
  /** Hashes the password of a user who is added. */
  readonly hash: (request: VerificationRequest, password: string) => Promise<string>;
  readonly namesCaseSensitive: boolean;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly onDifference: (difference: LoginDifference) => void;
}

const REFUSED: PasswordVerdict = { accepted: false };

/** No user has this id. */
const NOBODY = 0;

/** Whether no user can have this name or password: then the old server is not asked, and no user is added. */
const isNobodys = (name: string, password: string) => password === '' || faultOfName(name) !== undefined;

/** How many credentials are not compared again, and for how many milliseconds. */
const COMPARED = { max: 1_000, ttl: 60_000 };

/**
 * The verifier while an old server is being replaced. It asks the old server about each password that is refused here. If
 * the old server accepts an unknown user, that user is added here. For known users the answer here counts. The old server
 * is asked about them too, so that their refusals take as long as those of unknown names, and so that the operator sees
 * where the two servers differ.
 */
export class ShadowVerifier implements Verifier {
  readonly name = 'old server';
  readonly #parts: ShadowParts;
  readonly #secret = randomBytes(32);
  /** Logins in flight to the old server, by credential. */
  readonly #inFlight = new Map<string, Promise<OldLogin>>();
  readonly #compared = new LRUCache<string, true>(COMPARED);

  constructor(parts: ShadowParts) {
    this.#parts = parts;
  }

  partIn({ user }: VerificationRequest): VerifierPart {
    return user === undefined ? 'decides' : 'imitates';
  }

  async verify(request: VerificationRequest, password: string): Promise<PasswordVerdict> {
    return isNobodys(request.name, password) ? REFUSED : this.#refusedHere(request, password);
  }

  async imitate(request: VerificationRequest, password: string): Promise<void> {
    if (!isNobodys(request.name, password)) await this.#refusedHere(request, password);
  }

  noteAccepted(request: VerificationRequest, password: string): void {
    if (!isNobodys(request.name, password)) this.#compareAside(request, password);
  }

  async #refusedHere(request: VerificationRequest, password: string): Promise<PasswordVerdict> {
    try {
      const { status, ticket } = await this.#logIn(request.name, await this.#sentFor(request, password));
      if (ticket === undefined) {
        if (status !== 403) this.#tell(request, 403, status, 'refused by both');
        return REFUSED;
      }
      if (request.user === undefined) return await this.#acceptedThere(request, password, ticket);
      this.#tell(request, 403, status, 'known here, decided here');
      return REFUSED;
    } catch (error) {
      if (error instanceof VerifierUnavailable) this.#tell(request, 403, undefined, error.message);
      throw error;
    }
  }

  /** The old server gets random text in place of the wrong password of a user with a role: it may be nearly the right one. */
  async #sentFor(request: VerificationRequest, password: string): Promise<string> {
    const hasRole = await this.#hasRole(request);
    // If the old server is this one, that text comes back here as a password: it is sent on unchanged.
    const isOwn = this.#inFlight.has(this.#pairOf(request.name, password));
    return hasRole && !isOwn ? randomBytes(18).toString('base64url') : password;
  }

  /** Whether the user has a role, also by a group. Asks about an unknown name as well, so that it takes as long. */
  async #hasRole({ user }: VerificationRequest): Promise<boolean> {
    const role = await this.#parts.store.read(({ roles }) => roles.of(user?.id ?? NOBODY));
    return user?.administrator === true || role !== undefined;
  }

  async #acceptedThere(
    request: VerificationRequest,
    password: string,
    ticket: string,
  ): Promise<PasswordVerdict> {
    const { server, store, hash, namesCaseSensitive, clock } = this.#parts;
    const barred = await this.#neverAdded(request);
    if (barred !== undefined) return this.#notLearned(request, barred);
    const person = await server.person(request.name, ticket);
    if (person === undefined)
      return this.#notLearned(request, 'the old server does not tell whether it is an administrator');
    const why = unlearnable(person, request.key, namesCaseSensitive) ?? (await nameFault(store, person));
    if (why !== undefined) return this.#notLearned(request, why);
    const passwordHash = await hash(request, password);
    const user = newUser(person.userName, { namesCaseSensitive, passwordHash });
    const learned = await learn(store, user, person, requestOriginOf(request), clock());
    if (learned === undefined) return this.#known(request, password);

    this.#tell(request, 403, 200, 'learned');
    return { accepted: true, learned };
  }

  #notLearned(request: VerificationRequest, why: string): PasswordVerdict {
    this.#tell(request, 403, 200, `not learned: ${why}`);
    return REFUSED;
  }

  /** Why this name is never added, whatever the old server answers; undefined if it may be. */
  async #neverAdded({ key }: VerificationRequest): Promise<string | undefined> {
    if (key.toLowerCase() === 'guest') return 'the guest';
    const removed = await this.#parts.store.read(({ users }) => users.wasRemoved(key));
    return removed ? 'removed here' : undefined;
  }

  /** Verifies here a user whom another request added meanwhile. */
  async #known(request: VerificationRequest, password: string): Promise<PasswordVerdict> {
    const user: User | undefined = await this.#parts.store.read(({ users }) => users.findByKey(request.key));
    if (user === undefined) return REFUSED;
    const verdict = await this.#parts.local.verify({ ...request, user, giveUpAt: undefined }, password);
    return verdict.accepted ? { ...verdict, learned: user } : verdict;
  }

  /**
   * Asks the old server about a password that was right here, for the log only: no login waits for the answer, and a busy
   * server is not asked. It asks once a minute for each credential, because if the old server is another process of this
   * service, that one asks back.
   */
  #compareAside(request: VerificationRequest, password: string): void {
    if (!this.#parts.server.hasRoom) return;
    const pair = this.#pairOf(request.name, password);
    if (this.#compared.has(pair)) return;
    this.#compared.set(pair, true);
    this.#compare(request, password).catch(() => undefined);
  }

  async #compare(request: VerificationRequest, password: string): Promise<void> {
    if (await this.#hasRole(request)) return;
    const { status, ticket } = await this.#logIn(request.name, password);
    if (ticket === undefined) this.#tell(request, 200, status, 'known here, decided here');
  }

  /** Logs in at the old server. Equal logins share one request: if the old server is this one, it asks itself. */
  #logIn(name: string, password: string): Promise<OldLogin> {
    const pair = this.#pairOf(name, password);
    const before = this.#inFlight.get(pair);
    if (before !== undefined) return before;
    const login = this.#parts.server.logIn(name, password).finally(() => this.#inFlight.delete(pair));
    this.#inFlight.set(pair, login);
    return login;
  }

  /** A key for a name and password. It differs for others, and reveals neither. */
  #pairOf(name: string, password: string): string {
    return createHmac('sha256', this.#secret).update(`${name.length} ${name}${password}`).digest('base64');
  }

  #tell({ name }: VerificationRequest, ours: number, theirs: number | undefined, came: string): void {
    this.#parts.onDifference({ user: maskedName(name), ours, theirs, came });
  }
}
