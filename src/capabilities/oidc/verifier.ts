import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { longestWait, remainingWait } from '../../core/domain/lockout.ts';
import { type Refusal, refuse } from '../../core/domain/refusal.ts';
import { type RequestClient, requestOriginOf } from '../../core/domain/request-origin.ts';
import type { FactorsOfPrograms } from '../../core/domain/second-factor.ts';
import { isLocked, isLockedByHand, maskedName, type User } from '../../core/domain/user.ts';
import type { VerifyToken } from '../../core/gate/call.ts';
import { presentedAccessToken } from '../../core/gate/caller.ts';
import type { Verified } from '../../core/identity/passwords.ts';
import { QueueRefusals } from '../../core/identity/record-login-outcome.ts';
import { throttleKeyFor } from '../../core/identity/throttle-key.ts';
import {
  counterKeys,
  type KeysOf,
  type Rules,
  readThrottleState,
  rulesFor,
} from '../../core/identity/throttle-state.ts';
import type { OpeningParts } from '../capability.ts';
import { provisionExternalUser } from '../people/external-user.ts';
import type { AccessTokens } from './access-token.ts';
import { externalUserRules, type Providers } from './providers.ts';

type TokenRefusal = Refusal<'access_token_refused' | 'provider_unavailable'>;

interface TokenCheckParts extends OpeningParts {
  readonly providers: Pick<Providers, 'configurations'>;
  readonly factorsOfPrograms: FactorsOfPrograms;
  readonly tokens: Pick<AccessTokens, 'personBy'>;
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
class AccessTokenCheck {
  readonly #parts: TokenCheckParts;
  readonly #rules: Rules;
  readonly #keysOf: KeysOf;
  readonly #failures: QueueRefusals;
  /** Verified tokens by their digests. A program sends the same token with each request. */
  readonly #remembered = new LRUCache<string, Remembered>({ max: MOST_REMEMBERED });
  #providers: unknown;

  constructor(parts: TokenCheckParts) {
    this.#parts = parts;
    this.#rules = rulesFor(parts.settings);
    this.#keysOf = counterKeys(throttleKeyFor(parts.settings, 'service'));
    this.#failures = new QueueRefusals({ ...parts, rule: this.#rules.address });
  }

  /** The user whom a token of this client names, or why it is refused. Failures count against the address alone. */
  async check(token: string, client: RequestClient): Promise<Verified | TokenRefusal> {
    const digest = hash('sha256', token, 'base64url');
    const { configurations } = this.#parts.providers;
    // Another list after a change of the document.
    if (configurations !== this.#providers) this.#remembered.clear();
    this.#providers = configurations;
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
    const { store, clock, tokens } = this.#parts;
    const wait = await this.#waitOf(client);
    if (wait > 0) return this.#refuse(client, 'address-waiting', { retryAfter: Math.ceil(wait / 1_000) });
    const verdict = await tokens.personBy(token);
    if ('unavailable' in verdict)
      return refuse('provider_unavailable', { retryAfter: 5, reason: verdict.unavailable });
    if ('fault' in verdict) {
      if (!verdict.isGenuine) this.#failures.count(this.#attemptFrom(client));
      const [short = ''] = verdict.fault.split(':', 1);
      return this.#refuse(client, `access token: ${short}`, { detail: verdict.fault });
    }
    const { person, provider, expiresAt } = verdict;
    const rules = externalUserRules(provider, this.#parts);
    const origin = { at: clock(), ...requestOriginOf(client) };
    const provisioned = await provisionExternalUser(store, person, rules, origin);
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
    const longest = longestWait(this.#rules.name);
    if (isLocked(user, this.#parts.clock(), longest)) return this.#refuse(client, 'locked', { user: name });
    const missing = await this.#missingFactor(user);
    if (missing !== undefined) return this.#refuse(client, missing, { user: name, detail: FACTOR_MISSING });
    const byToken = provider !== undefined && { provider, tokenProvider: provider };
    return { userId, generation, passwordHash, methods: ['fed'], ...byToken };
  }

  /** The second factor that the user lacks here: none, unless the provider leaves that factor to this service. */
  async #missingFactor(user: User): Promise<string | undefined> {
    const { asksSecondFactor, refusesWithoutFactor } = this.#parts.factorsOfPrograms;
    const configuration = this.#parts.providers.configurations.find(({ id }) => id === user.provider);
    if (configuration?.askSecondFactor !== true || !asksSecondFactor) return undefined;
    if (user.hasSecondFactor) return 'second-factor-needed';
    return (await refusesWithoutFactor?.(user)) ? 'second-factor-required' : undefined;
  }

  #attemptFrom({ address, userAgent }: RequestClient) {
    const keys = this.#keysOf('', address);
    return { name: '', key: '', address, userAgent, keys, repeated: false, onPage: false, giveUpAt: 0 };
  }

  /** Milliseconds that the address has to wait. */
  async #waitOf(client: RequestClient): Promise<number> {
    const { store, clock } = this.#parts;
    const now = clock();
    const attempt = this.#attemptFrom(client);
    const { counters } = await store.read((unit) => readThrottleState(unit, attempt, now));
    return remainingWait(counters.address, now, this.#rules.address);
  }

  #refuse(
    client: RequestClient,
    reason: string,
    more: Pick<TokenRefusal, 'detail' | 'retryAfter' | 'user'> = {},
  ): TokenRefusal {
    const { bookkeeping, clock } = this.#parts;
    const about = { user: more.user, reason, ...requestOriginOf(client) };
    bookkeeping.tally({ at: clock(), kind: 'login-refused', ...about });
    return refuse('access_token_refused', { ...more, reason });
  }
}

/** The check of the access tokens that calls present. */
export function verifyTokens(parts: TokenCheckParts): VerifyToken {
  const check = new AccessTokenCheck(parts);
  return async (operation, call) => {
    const token = await presentedAccessToken(operation, call, { ...parts, rules: parts.ticketRules });
    return token === undefined ? undefined : check.check(token, call);
  };
}
