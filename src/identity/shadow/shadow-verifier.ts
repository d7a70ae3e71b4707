import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { faultOfNewName, maskedName, newUser, type User, userKey } from '../../domain/user.ts';
import type { Store } from '../../storage/store.ts';
import {
  type PasswordVerdict,
  type VerificationRequest,
  type Verifier,
  VerifierUnavailable,
} from '../verifier.ts';
import type { OldLogin, OldPerson, OldServer } from './old-server.ts';

/** Why a person of the old server is not learned; nothing when it is. */
function unlearnable(person: OldPerson, key: string, namesCaseSensitive: boolean): string | undefined {
  if (person.administrator) return 'an administrator there';
  if (person.guest) return 'the guest there';
  if (userKey(person.userName, namesCaseSensitive) !== key) return 'another name there';
  if (faultOfNewName(person.userName) !== undefined) return 'a name that no user can have here';
  return undefined;
}

/**
 * Adds a user who came from this address: the user, or nothing when it was removed here or is there already. In one
 * write unit, so that no removal comes between.
 */
function learn(
  store: Store,
  user: Omit<User, 'id'>,
  address: string,
  now: number,
): Promise<User | undefined> {
  return store.write(async ({ users, events }) => {
    if (await users.wasRemoved(user.key)) return undefined;
    const learned = await users.add(user);
    if (learned === undefined) return undefined;
    await events.append({
      at: now,
      kind: 'user-added',
      user: user.name,
      from: address,
      reason: 'learned from the old server',
    });
    return learned;
  });
}

/** An answer to a login in which the two servers differ. Holds the masked name and nothing else of the user. */
export interface LoginDifference {
  readonly user: string;
  /** The status here, the old server left out. */
  readonly ours: number;
  /** The status there; nothing when it did not answer. */
  readonly theirs: number | undefined;
  readonly came: string;
}

/** What a shadow verifier works with. */
export interface ShadowParts {
  readonly local: Verifier;
  readonly server: OldServer;
  readonly store: Store;
  readonly hash: (request: VerificationRequest, password: string) => Promise<string>;
  readonly namesCaseSensitive: boolean;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly onDifference: (difference: LoginDifference) => void;
}

const REFUSED: PasswordVerdict = { accepted: false };

/** What the old server is not told: whatever it would make of it, nobody is learned by it. */
const isNobodys = (name: string, password: string) => password === '' || faultOfNewName(name) !== undefined;

/** Pairs that are not compared again, by number, and for how many milliseconds. */
const COMPARED = { max: 1_000, ttl: 60_000 };

/**
 * The verifier while an old server is still there: what is refused here is request of it, and a user that is unknown here
 * is learned when it accepts. Known users are decided here alone; asking for them too makes their refusals take what
 * those of unknown names take, and shows the operator where the two differ.
 */
export class ShadowVerifier implements Verifier {
  readonly #parts: ShadowParts;
  readonly #secret = randomBytes(32);
  /** Logins under way at the old server. */
  readonly #asking = new Map<string, Promise<OldLogin>>();
  readonly #compared = new LRUCache<string, true>(COMPARED);

  constructor(parts: ShadowParts) {
    this.#parts = parts;
  }

  async verify(request: VerificationRequest, password: string): Promise<PasswordVerdict> {
    const verdict = await this.#parts.local.verify(request, password);
    if (isNobodys(request.name, password)) return verdict;
    if (!verdict.accepted) return this.#refusedHere(request, password);
    this.#compareAside(request, password);
    return verdict;
  }

  async #refusedHere(request: VerificationRequest, password: string): Promise<PasswordVerdict> {
    try {
      const { status, ticket } = await this.#logIn(request.name, this.#sentFor(request, password));
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

  /** What an administrator mistyped is nobody else's business: the old server is request about chance in its place. */
  #sentFor({ name, user }: VerificationRequest, password: string): string {
    // Such chance comes back as a password where the old server is this very one.
    const isOwn = this.#asking.has(this.#pairOf(name, password));
    return user?.administrator && !isOwn ? randomBytes(18).toString('base64url') : password;
  }

  async #acceptedThere(
    request: VerificationRequest,
    password: string,
    ticket: string,
  ): Promise<PasswordVerdict> {
    const { server, store, hash, namesCaseSensitive, clock } = this.#parts;
    const kept = await this.#keptOut(request);
    if (kept !== undefined) return this.#notLearned(request, kept);
    const person = await server.person(request.name, ticket);
    if (person === undefined)
      return this.#notLearned(request, 'the old server does not tell whether it is an administrator');
    const why = unlearnable(person, request.key, namesCaseSensitive);
    if (why !== undefined) return this.#notLearned(request, why);
    const passwordHash = await hash(request, password);
    const user = newUser(person.userName, { namesCaseSensitive, passwordHash });
    const learned = await learn(store, user, request.address, clock());
    if (learned === undefined) return this.#known(request, password);
    this.#tell(request, 403, 200, 'learned');
    return { accepted: true, learned };
  }

  #notLearned(request: VerificationRequest, why: string): PasswordVerdict {
    this.#tell(request, 403, 200, `not learned: ${why}`);
    return REFUSED;
  }

  /** Why a name is never learned, whatever the old server says of it. */
  async #keptOut({ key }: VerificationRequest): Promise<string | undefined> {
    if (key.toLowerCase() === 'guest') return 'the guest';
    const removed = await this.#parts.store.read(({ users }) => users.wasRemoved(key));
    return removed ? 'removed here' : undefined;
  }

  /** Another request of the same user was quicker: it is a known one by now. */
  async #known(request: VerificationRequest, password: string): Promise<PasswordVerdict> {
    const user: User | undefined = await this.#parts.store.read(({ users }) => users.findByKey(request.key));
    if (user === undefined) return REFUSED;
    const verdict = await this.#parts.local.verify({ ...request, user, giveUpAt: undefined }, password);
    return verdict.accepted ? { ...verdict, learned: user } : verdict;
  }

  /**
   * Asks about a password that was right here, for the log alone: nobody waits for it, and not when the old server is
   * busy. Once a minute: where the old server is this very one, in another process, that asks here in its turn.
   */
  #compareAside(request: VerificationRequest, password: string): void {
    if (request.user?.administrator || !this.#parts.server.hasRoom) return;
    const pair = this.#pairOf(request.name, password);
    if (this.#compared.has(pair)) return;
    this.#compared.set(pair, true);
    this.#logIn(request.name, password).then(
      ({ status, ticket }) => {
        if (ticket === undefined) this.#tell(request, 200, status, 'known here, decided here');
      },
      () => undefined,
    );
  }

  /** Logs in there, once for all who ask the same meanwhile: where the old server is this very one, it asks itself. */
  #logIn(name: string, password: string): Promise<OldLogin> {
    const pair = this.#pairOf(name, password);
    const underWay = this.#asking.get(pair);
    if (underWay !== undefined) return underWay;
    const asking = this.#parts.server.logIn(name, password).finally(() => this.#asking.delete(pair));
    this.#asking.set(pair, asking);
    return asking;
  }

  /** Never the same for another name or password, and tells of neither. */
  #pairOf(name: string, password: string): string {
    return createHmac('sha256', this.#secret).update(`${name.length} ${name}${password}`).digest('base64');
  }

  #tell({ name }: VerificationRequest, ours: number, theirs: number | undefined, came: string): void {
    this.#parts.onDifference({ user: maskedName(name), ours, theirs, came });
  }
}
