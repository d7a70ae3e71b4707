import { DocumentKeeper } from '../../core/documents/document-keeper.ts';
import type { OpeningParts } from '../capability.ts';
import { loadProviders, type ProviderConfiguration } from './load.ts';
import { externalUserRules, type Providers } from './providers.ts';
import { SignInProvider } from './sign-in-provider.ts';

/** The identity providers that a document names. It is loaded again when it changes. */
export class IdentityProviders implements Providers {
  readonly portalUrl: string | undefined;
  readonly #parts: OpeningParts;
  readonly #keeper: DocumentKeeper<readonly ProviderConfiguration[]>;
  #signIns: ReadonlyMap<string, SignInProvider>;

  /** Throws `DocumentsFaulty`. */
  constructor(parts: OpeningParts) {
    const { settings, log } = parts;
    this.#parts = parts;
    this.portalUrl = settings.portalUrl || undefined;
    this.#keeper = new DocumentKeeper(settings.providers, () => loadProviders(settings.providers), {
      onLoaded: (providers) => {
        this.#signIns = this.#signInsOf(providers);
        log.info({ providers: providers.length }, 'identity providers loaded');
      },
      onFault: (fault) =>
        log.error({ err: fault }, 'document of identity providers faulty: the last good one stays in force'),
    });
    this.#signIns = this.#signInsOf(this.#keeper.current);
  }

  get configurations(): readonly ProviderConfiguration[] {
    return this.#keeper.current;
  }

  signInAt(id: string): SignInProvider | undefined {
    return this.#signIns.get(id);
  }

  /** Loads the document again. A faulty one is reported and changes nothing. */
  reload(): void {
    this.#keeper.reload();
  }

  close(): void {
    this.#keeper.close();
  }

  #signInsOf(providers: readonly ProviderConfiguration[]): ReadonlyMap<string, SignInProvider> {
    const rulesOf = (each: ProviderConfiguration) => externalUserRules(each, this.#parts);
    const signingIn = providers.filter(({ signIn }) => signIn);
    return new Map(
      signingIn.map((each) => [each.id, new SignInProvider(each, rulesOf(each), this.#parts.clock)]),
    );
  }
}
