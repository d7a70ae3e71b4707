import { DocumentKeeper } from '../../core/documents/document-keeper.ts';
import { isRefusal } from '../../core/domain/refusal.ts';
import type { TakeOver } from '../../core/storage/take-over.ts';
import { loadProviders, type ProviderConfiguration } from './load.ts';
import type { Providers } from './providers.ts';
import { type SignInAttempt, SignInProvider } from './sign-in-provider.ts';

/** The document, and the settings that providers are used with. */
interface ProviderSources {
  readonly file: string;
  /** The origin of the portal; empty if it is not set. */
  readonly portalUrl: string;
  readonly namesCaseSensitive: boolean;
  /** What capabilities remove of a local user whom a person takes over. */
  readonly takeOvers: readonly TakeOver[];
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/** Called with the outcome of each reload of the document. */
interface ProviderReports {
  readonly onLoaded: (providers: readonly ProviderConfiguration[]) => void;
  readonly onFault: (fault: unknown) => void;
}

/** The identity providers that a document names. It is loaded again when it changes. */
export class IdentityProviders implements Providers {
  readonly portalUrl: string | undefined;
  readonly #namesCaseSensitive: boolean;
  readonly #takeOvers: readonly TakeOver[];
  readonly #clock: () => number;
  readonly #keeper: DocumentKeeper<readonly ProviderConfiguration[]>;
  #signIns: ReadonlyMap<string, SignInProvider>;

  /** Throws `DocumentsFaulty`. */
  constructor(sources: ProviderSources, { onLoaded, onFault }: ProviderReports) {
    const { file, portalUrl, namesCaseSensitive, takeOvers, clock } = sources;
    this.portalUrl = portalUrl || undefined;
    this.#namesCaseSensitive = namesCaseSensitive;
    this.#takeOvers = takeOvers;
    this.#clock = clock;
    this.#keeper = new DocumentKeeper(file, () => loadProviders(file), {
      onLoaded: (providers) => {
        this.#signIns = this.#signInsOf(providers);
        onLoaded(providers);
      },
      onFault,
    });
    this.#signIns = this.#signInsOf(this.#keeper.current);
  }

  get configurations(): readonly ProviderConfiguration[] {
    return this.#keeper.current;
  }

  get buttons(): Providers['buttons'] {
    return [...this.#signIns.values()].map(({ configuration: { id, name } }) => ({ id, name }));
  }

  async begin(id: string, options: Parameters<Providers['begin']>[1]): ReturnType<Providers['begin']> {
    const provider = this.#signIns.get(id);
    const begun = await provider?.begin(options);
    if (provider === undefined || begun === undefined || isRefusal(begun)) return begun as undefined;
    return { ...begun, name: provider.configuration.name };
  }

  async finish(
    id: string,
    attempt: SignInAttempt,
    answer: Readonly<Record<string, string>>,
  ): ReturnType<Providers['finish']> {
    const provider = this.#signIns.get(id);
    if (provider === undefined) return undefined;
    const signedIn = await provider.finish(attempt, answer);
    if (isRefusal(signedIn)) return signedIn;
    const { configuration } = provider;
    const { addsUsers, takesLocalNames, groups } = configuration;
    const rules = {
      addsUsers,
      takesLocalNames,
      takeOvers: this.#takeOvers,
      roleGroups: Object.values(groups?.names ?? {}),
      namesCaseSensitive: this.#namesCaseSensitive,
    };
    return { ...signedIn, configuration, rules };
  }

  async signOutAddress(id: string, back: string): ReturnType<Providers['signOutAddress']> {
    const provider = this.#signIns.get(id);
    if (!provider?.configuration.signOut) return undefined;
    const address = await provider.signOutAddress(back);
    const { name } = provider.configuration;
    return address === undefined ? undefined : { id, name, address };
  }

  /** Loads the document again. A faulty one is reported and changes nothing. */
  reload(): void {
    this.#keeper.reload();
  }

  /** Watches the document no more. */
  close(): void {
    this.#keeper.close();
  }

  #signInsOf(providers: readonly ProviderConfiguration[]): ReadonlyMap<string, SignInProvider> {
    const signingIn = providers.filter(({ signIn }) => signIn);
    return new Map(signingIn.map((each) => [each.id, new SignInProvider(each, this.#clock)]));
  }
}
