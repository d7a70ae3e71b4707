import type { ExternalPerson } from '../../core/domain/external-identity.ts';
import type { FactorsOfPrograms } from '../../core/domain/second-factor.ts';
import type { User } from '../../core/domain/user.ts';
import type { Bookkeeping } from '../../core/gate/bookkeeping.ts';
import { throttleKeyFor } from '../../core/identity/throttle-key.ts';
import { counterKeys, rulesFor } from '../../core/identity/throttle-state.ts';
import type { Settings } from '../../core/settings/table.ts';
import type { Store } from '../../core/storage/store.ts';
import type { TakeOver } from '../../core/storage/take-over.ts';
import type { ExternalUserRules } from '../people/rules/external-users.ts';
import type { OpenedProviders } from './assembly.ts';
import type { AccessTokenCheck } from './verifier.ts';

/** What access tokens are checked with. */
interface TokenSources {
  readonly settings: Settings;
  readonly store: Store;
  readonly providers: OpenedProviders;
  /** What capabilities remove of a local user whom a person of a provider takes over. */
  readonly takeOvers: readonly TakeOver[];
  readonly factorsOfPrograms: FactorsOfPrograms;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly onFault: (fault: unknown) => void;
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

/** The check of access tokens. Undefined without identity providers; its code is loaded only if there are any. */
export async function accessTokenCheckOver(
  parts: TokenSources,
  bookkeeping: Bookkeeping,
): Promise<AccessTokenCheck | undefined> {
  const { settings, store, providers, clock, onFault } = parts;
  if (settings.providers === '') return undefined;
  const [{ AccessTokenCheck }, { AccessTokens }, { provisionExternalUser }] = await Promise.all([
    import('./verifier.ts'),
    import('./access-token.ts'),
    import('../people/external-user.ts'),
  ]);
  const tokens = new AccessTokens(() => providers.configurations, clock);
  return new AccessTokenCheck({
    store,
    providers: () => providers.configurations,
    verify: (token) => tokens.personBy(token),
    provision: (person, from) =>
      provisionExternalUser(store, person, rulesOf(parts, person), { at: clock(), from }),
    missingFactor: missingFactorIn(parts),
    rules: rulesFor(settings),
    keysOf: counterKeys(throttleKeyFor(settings, 'service')),
    clock,
    tally: (event) => bookkeeping.tally(event),
    onFault,
  });
}
