import type { ExternalPerson } from '../domain/external-identity.ts';
import type { Bookkeeping } from '../gate/bookkeeping.ts';
import { settleExternalUser } from '../identity/external-user.ts';
import { counterKeys, rulesFor } from '../identity/throttle-state.ts';
import type { AccessTokenCheck } from '../identity/verifiers/access-token.ts';
import type { SettledUser } from '../people/external-users.ts';
import type { Settings } from '../settings/table.ts';
import type { Store } from '../storage/store.ts';
import type { OpenedProviders } from './providers.ts';
import { throttleKeyFor } from './throttle-key.ts';

/** What access tokens are checked with. */
interface TokenSources {
  readonly settings: Settings;
  readonly store: Store;
  readonly providers: OpenedProviders;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly onFault: (fault: unknown) => void;
}

/** The user whom a person of an identity provider is, by the rules that the document has for that provider. */
function settle(
  { settings, store, providers, clock }: TokenSources,
  person: ExternalPerson,
  from: string,
): Promise<SettledUser> {
  const provider = providers.configurations.find(({ id }) => id === person.provider);
  const { addsUsers = false, takesLocalNames = false } = provider ?? {};
  const rules = { namesCaseSensitive: settings.namesCaseSensitive, addsUsers, takesLocalNames };
  return settleExternalUser(store, person, rules, { at: clock(), from });
}

/** The check of access tokens. Undefined without identity providers; its code is loaded only if there are any. */
export async function accessTokenCheckOver(
  parts: TokenSources,
  bookkeeping: Bookkeeping,
): Promise<AccessTokenCheck | undefined> {
  const { settings, store, providers, clock, onFault } = parts;
  if (settings.providers === '') return undefined;
  const [{ AccessTokenCheck }, { AccessTokens }] = await Promise.all([
    import('../identity/verifiers/access-token.ts'),
    import('../providers/access-token.ts'),
  ]);
  const tokens = new AccessTokens(() => providers.configurations, clock);
  return new AccessTokenCheck({
    store,
    providers: () => providers.configurations,
    verify: (token) => tokens.personBy(token),
    settle: (person, from) => settle(parts, person, from),
    rules: rulesFor(settings),
    keysOf: counterKeys(throttleKeyFor(settings, 'service')),
    clock,
    tally: (event) => bookkeeping.tally(event),
    onFault,
  });
}
