import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Event } from '../../core/domain/event.ts';
import type { ExternalPerson } from '../../core/domain/external-identity.ts';
import { longestWait, remainingWait } from '../../core/domain/lockout.ts';
import { type Refusal, refuse } from '../../core/domain/refusal.ts';
import { type RequestClient, type RequestOrigin, requestOriginOf } from '../../core/domain/request-origin.ts';
import { isLocked, isLockedByHand, maskedName, type User } from '../../core/domain/user.ts';
import type { Verified } from '../../core/identity/passwords.ts';
import { QueueRefusals } from '../../core/identity/record-login-outcome.ts';
import { type KeysOf, type Rules, readThrottleState } from '../../core/identity/throttle-state.ts';
import type { Store } from '../../core/storage/store.ts';
import type { ProvisionedUser } from '../people/rules/external-users.ts';

/** What a verified token says, or why it is refused. */
type TokenVerdict =
  | {
      readonly person: ExternalPerson;
      /** When the token expires, in epoch milliseconds. */
      readonly expiresAt: number;
    }
  | {
      /** Why the keys of the provider, which the token needs, cannot be read. */
      readonly unavailable: string;
    }
  | {
      /** What is wrong, and how to mend it. It contains nothing of the token. */
      readonly fault: string;
      /** Whether a provider signed the token. If not, its bearer may have forged it. */
      readonly isGenuine: boolean;
    };

/** Refusals of the check of access tokens. */
export type TokenRefusal = Refusal<'access_token_refused' | 'provider_unavailable'>;

/** What the check of access tokens works with. */
interface TokenCheckParts {
  readonly store: Store;
  /** Returns the providers in force: another object after a change. Then no verified token is remembered. */
  readonly providers: () => unknown;
  /** Verifies a token as the provider signed it. */
  readonly verify: (token: string) => Promise<TokenVerdict>;
  /** The user that a person is, or why it is none. `origin` is that of the token. */
  readonly provision: (person: ExternalPerson, origin: RequestOrigin) => Promise<ProvisionedUser>;
  /** The second factor that the user lacks here, as the reason of a refusal; undefined if the token alone is enough. */
  readonly missingFactor: (user: User) => Promise<string | undefined>;
  readonly rules: Rules;
  readonly keysOf: KeysOf;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Counts a refused token. */
  readonly tally: (event: Event) => void;
  readonly onFault: (fault: unknown) => void;
}

/** How many tokens are remembered, and for how many milliseconds at most. */
const MOST_REMEMBERED = 10_000;
const REMEMBERED_FOR = 5 * 60_000;

const FACTOR_MISSING =
  'the provider leaves the second factor to this service, which asks programs for an app password';

interface Remembered {
  readonly userId: number;
  readonly provider: string;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** The check of access tokens of identity providers (specification, section 22): throttle, signature and claims, user. */
export class AccessTokenCheck {
  readonly #parts: TokenCheckParts;
  readonly #failures: QueueRefusals;
  /** Verified tokens by their digests. A program sends the same token with each request. */
  readonly #remembered = new LRUCache<string, Remembered>({ max: MOST_REMEMBERED });
  #providers: unknown;

  constructor(parts: TokenCheckParts) {
    this.#parts = parts;
    this.#failures = new QueueRefusals({ ...parts, rule: parts.rules.address });
  }

  /** The user whom a token of this client names, or why it is refused. Failures count against the address alone. */
  async check(token: string, client: RequestClient): Promise<Verified | TokenRefusal> {
    const digest = hash('sha256', token, 'base64url');
    const providers = this.#parts.providers();
    if (providers !== this.#providers) this.#remembered.clear();
    this.#providers = providers;
    const user = await this.#userOf(this.#remembered.get(digest));
    if (user !== undefined) return this.#ifAllowed(user, client);
    return this.#verified(token, digest, client);
  }

  async #userOf(remembered: Remembered | undefined): Promise<User | undefined> {
    const { clock, store } = this.#parts;
    if (remembered === undefined || remembered.until <= clock()) return undefined;
    const user = await store.read(({ users }) => users.find(remembered.userId));
    return user?.provider === remembered.provider ? user : undefined;
  }

  async #verified(token: string, digest: string, client: RequestClient): Promise<Verified | TokenRefusal> {
    const { clock, verify, provision } = this.#parts;
    const wait = await this.#waitOf(client);
    if (wait > 0) return this.#refuse(client, 'address-waiting', { retryAfter: Math.ceil(wait / 1_000) });
    const verdict = await verify(token);
    if ('unavailable' in verdict)
      return refuse('provider_unavailable', { retryAfter: 5, reason: verdict.unavailable });
    if ('fault' in verdict) {
      if (!verdict.isGenuine) this.#failures.count(this.#attemptFrom(client));
      const [short = ''] = verdict.fault.split(':', 1);
      return this.#refuse(client, `access token: ${short}`, { detail: verdict.fault });
    }
    const { person, expiresAt } = verdict;
    const provisioned = await provision(person, requestOriginOf(client));
    if ('refused' in provisioned) {
      const reason = `${person.provider}: ${provisioned.refused}`;
      return this.#refuse(client, reason, { user: maskedName(person.name) });
    }
    const { user } = provisioned;
    const until = Math.min(expiresAt, clock() + REMEMBERED_FOR);
    this.#remembered.set(digest, { userId: user.id, provider: person.provider, until });
    return this.#ifAllowed(user, client);
  }

  async #ifAllowed(user: User, client: RequestClient): Promise<Verified | TokenRefusal> {
    const { id: userId, generation, passwordHash, name, provider } = user;
    if (user.disabled) return this.#refuse(client, 'disabled', { user: name });
    if (isLockedByHand(user)) return this.#refuse(client, 'locked-by-hand', { user: name });
    const longest = longestWait(this.#parts.rules.name);
    if (isLocked(user, this.#parts.clock(), longest)) return this.#refuse(client, 'locked', { user: name });
    const missing = await this.#parts.missingFactor(user);
    if (missing !== undefined) return this.#refuse(client, missing, { user: name, detail: FACTOR_MISSING });
    const byToken = provider !== undefined && { provider, tokenProvider: provider };
    return { userId, generation, passwordHash, methods: ['fed'], ...byToken };
  }

  #attemptFrom({ address, userAgent }: RequestClient) {
    const keys = this.#parts.keysOf('', address);
    return { name: '', key: '', address, userAgent, keys, repeated: false, onPage: false, giveUpAt: 0 };
  }

  /** Milliseconds that the address has to wait. */
  async #waitOf(client: RequestClient): Promise<number> {
    const { store, clock, rules } = this.#parts;
    const now = clock();
    const attempt = this.#attemptFrom(client);
    const { counters } = await store.read((unit) => readThrottleState(unit, attempt, now));
    return remainingWait(counters.address, now, rules.address);
  }

  #refuse(
    client: RequestClient,
    reason: string,
    more: Pick<TokenRefusal, 'detail' | 'retryAfter' | 'user'> = {},
  ): TokenRefusal {
    const event = {
      at: this.#parts.clock(),
      kind: 'login-refused',
      ...requestOriginOf(client),
      reason,
    } as const;
    this.#parts.tally({ ...event, user: more.user });
    return refuse('access_token_refused', { ...more, reason });
  }
}
