import type { ExternalPerson } from '../../core/domain/external-identity.ts';
import type { Digest } from '../../core/domain/ticket.ts';
import type { SignInButton } from '../../core/representations/representation.ts';
import type { ExternalUserRules } from '../people/rules/external-users.ts';
import type { ProviderConfiguration } from './load.ts';
import type { SignInAttempt, SignInRefusal } from './sign-in-provider.ts';

/** A sign-in that has begun: where the browser goes, and what it keeps until it is back. */
export interface StartedSignIn {
  readonly name: string;
  /** The address at the provider. */
  readonly address: string;
  readonly attempt: SignInAttempt;
}

/** A person whom a provider has just signed in. */
export interface SignedInPerson {
  readonly person: ExternalPerson;
  /** The session there, with which the ticket ends; undefined if the provider tells of none. */
  readonly session: Digest | undefined;
  readonly configuration: ProviderConfiguration;
  /** Whether the person may become a user here. */
  readonly rules: ExternalUserRules;
}

/** The identity providers, as pages use them (specification, section 22). A provider that is not set is undefined. */
export interface Providers {
  /** The providers in force. A reload replaces the list. */
  readonly configurations: readonly ProviderConfiguration[];
  /** The providers that sign people in, in the order of their buttons. */
  readonly buttons: readonly SignInButton[];
  /** The origin of the portal, if it is set; otherwise each host has a portal of its own. */
  readonly portalUrl: string | undefined;
  /**
   * Begins a sign-in. The provider sends the browser back to `redirectUri`. With `again` the
   * provider has to ask anew a person who is signed in there.
   */
  begin(
    id: string,
    options: { readonly redirectUri: string; readonly again: boolean },
  ): Promise<StartedSignIn | SignInRefusal | undefined>;
  /** The person whom the provider names in its answer: the arguments with which it sent the browser back. */
  finish(
    id: string,
    attempt: SignInAttempt,
    answer: Readonly<Record<string, string>>,
  ): Promise<SignedInPerson | SignInRefusal | undefined>;
  /**
   * The address at the provider where a person signs out, and which then leads to `back`. Undefined if the document asks for no
   * sign-out there, or if the provider has no such address or does not answer.
   */
  signOutAddress(
    id: string,
    back: string,
  ): Promise<(SignInButton & { readonly address: string }) | undefined>;
}

declare module '../../core/browser-context.ts' {
  interface BrowserTools {
    /** The identity providers where people sign in. */
    readonly providers: Providers;
  }
}

const none = async () => undefined;

/** No provider. */
export const NO_PROVIDERS: Providers = {
  configurations: [],
  buttons: [],
  portalUrl: undefined,
  begin: none,
  finish: none,
  signOutAddress: none,
};
