import type { OpeningParts } from '../capability.ts';
import type { ExternalUserRules } from '../people/rules/external-users.ts';
import type { ProviderConfiguration } from './load.ts';
import type { SignInProvider } from './sign-in-provider.ts';

/** The identity providers in force, as pages use them (specification, section 22). A reload replaces them. */
export interface Providers {
  readonly configurations: readonly ProviderConfiguration[];
  /** The origin of the portal, if it is set; otherwise each host has a portal of its own. */
  readonly portalUrl: string | undefined;
  /** The provider with this id, if it is set and signs people in. */
  signInAt(id: string): SignInProvider | undefined;
}

declare module '../../core/browser-context.ts' {
  interface BrowserTools {
    readonly providers: Providers;
  }
}

export const NO_PROVIDERS: Providers = {
  configurations: [],
  portalUrl: undefined,
  signInAt: () => undefined,
};

/** Which people of a provider may be users here, as its document says. */
export const externalUserRules = (
  { addsUsers, takesLocalNames, groups }: ProviderConfiguration,
  { settings, takeOvers }: Pick<OpeningParts, 'settings' | 'takeOvers'>,
): ExternalUserRules => ({
  namesCaseSensitive: settings.namesCaseSensitive,
  addsUsers,
  takesLocalNames,
  takeOvers,
  roleGroups: Object.values(groups?.names ?? {}),
});
