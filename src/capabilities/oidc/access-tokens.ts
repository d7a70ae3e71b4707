import type { ExternalPerson } from '../../core/domain/external-identity.ts';
import type { FactorsOfPrograms } from '../../core/domain/second-factor.ts';
import type { User } from '../../core/domain/user.ts';
import type { VerifyToken } from '../../core/gate/call.ts';
import { presentedAccessToken } from '../../core/gate/caller.ts';
import type { TicketRules } from '../../core/gate/tickets.ts';
import { throttleKeyFor } from '../../core/identity/throttle-key.ts';
import { counterKeys, rulesFor } from '../../core/identity/throttle-state.ts';
import type { Store } from '../../core/storage/store.ts';
import type { OpeningParts } from '../capability.ts';
import { provisionExternalUser } from '../people/external-user.ts';
import type { ExternalUserRules } from '../people/rules/external-users.ts';
import type { AccessTokens } from './access-token.ts';
import type { Providers } from './providers.ts';
import { AccessTokenCheck } from './verifier.ts';

/** What access tokens are verified with. */
interface AccessTokenParts {
  readonly store: Store;
  readonly rules: TicketRules;
  readonly accessTokens: Pick<AccessTokenCheck, 'check'>;
}

const verifyToken =
  (parts: AccessTokenParts): VerifyToken =>
  async (operation, call) => {
    const token = await presentedAccessToken(operation, call, parts);
    return token === undefined ? undefined : parts.accessTokens.check(token, call);
  };

/** What access tokens are checked with. */
interface TokenSources extends OpeningParts {
  readonly providers: Pick<Providers, 'configurations'>;
  readonly factorsOfPrograms: FactorsOfPrograms;
}

/** Which people of a provider may be users, as the document says. */
function rulesOf(
  { settings, providers, takeOvers }: TokenSources,
  { provider }: ExternalPerson,
): ExternalUserRules {
  const configuration = providers.configurations.find(({ id }) => id === provider);
  const { addsUsers = false, takesLocalNames = false, groups } = configuration ?? {};
  return {
    namesCaseSensitive: settings.namesCaseSensitive,
    addsUsers,
    takesLocalNames,
    takeOvers,
    roleGroups: Object.values(groups?.names ?? {}),
  };
}

/** The second factor that a user with an access token lacks: none, unless the provider leaves that factor to this service. */
function missingFactorIn({ providers, factorsOfPrograms }: TokenSources) {
  const { asksSecondFactor, refusesWithoutFactor } = factorsOfPrograms;
  return async (user: User): Promise<string | undefined> => {
    const configuration = providers.configurations.find(({ id }) => id === user.provider);
    if (configuration?.askSecondFactor !== true || !asksSecondFactor) return undefined;
    if (user.hasSecondFactor) return 'second-factor-needed';
    return (await refusesWithoutFactor?.(user)) ? 'second-factor-required' : undefined;
  };
}

/** The check of the access tokens that calls present. */
export function verifyTokenWith(parts: TokenSources, tokens: AccessTokens): VerifyToken {
  const { settings, store, providers, clock, onFault, bookkeeping, ticketRules: rules } = parts;
  const accessTokens = new AccessTokenCheck({
    store,
    providers: () => providers.configurations,
    verify: (token) => tokens.personBy(token),
    provision: (person, origin) =>
      provisionExternalUser(store, person, rulesOf(parts, person), { at: clock(), ...origin }),
    missingFactor: missingFactorIn(parts),
    rules: rulesFor(settings),
    keysOf: counterKeys(throttleKeyFor(settings, 'service')),
    clock,
    tally: (event) => bookkeeping.tally(event),
    onFault,
  });
  return verifyToken({ store, rules, accessTokens });
}
