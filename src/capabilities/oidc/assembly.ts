import type { OpenedBefore, OpenedCapability, OpeningParts } from '../capability.ts';
import { NO_PROVIDERS } from './providers.ts';

/**
 * The identity providers that are set, and the check of the access tokens that programs get there. Their code is loaded only if
 * there are any. A fault of their document is thrown (`DocumentsFaulty`). A provider is asked first when a person signs in
 * there, so the service starts while it is down.
 */
export async function openProviders(parts: OpeningParts, before: OpenedBefore): Promise<OpenedCapability> {
  const { settings, clock } = parts;
  if (settings.providers === '') return { browserTools: { providers: NO_PROVIDERS } };
  const [{ IdentityProviders }, { AccessTokens }, { verifyTokens }, { backchannelLogout }] =
    await Promise.all([
      import('./identity-providers.ts'),
      import('./access-token.ts'),
      import('./verifier.ts'),
      import('./backchannel-logout.ts'),
    ]);
  const providers = new IdentityProviders(parts);
  const tokens = new AccessTokens(() => providers.configurations, clock);
  const { factorsOfPrograms } = before;
  return {
    operationTools: {
      providerSources: {
        list: () => providers.configurations.map(({ id, name, issuer: address }) => ({ id, name, address })),
        check: async (id) =>
          (await import('./check-provider.ts')).checkProviders(providers.configurations, settings, clock, id),
      },
    },
    consoleSections: [{ to: '/portal/console/providers', text: 'console.providers', role: 'operator' }],
    operations: [backchannelLogout(tokens)],
    browserTools: {
      providers,
      signInButtons: () =>
        providers.configurations.filter(({ signIn }) => signIn).map(({ id, name }) => ({ id, name })),
      signsOutAt: (provider) =>
        providers.configurations.some(({ id, signOut }) => signOut && id === provider),
    },
    providerState: (id) => (providers.configurations.some((each) => each.id === id) ? 'on' : undefined),
    verifyToken: verifyTokens({ ...parts, providers, factorsOfPrograms, tokens }),
    reload: () => providers.reload(),
    stop: () => providers.close(),
  };
}
