import type { Logger } from 'pino';
import type { Settings } from '../../core/settings/table.ts';
import type { TakeOver } from '../../core/storage/take-over.ts';
import { NO_PROVIDERS, type Providers } from './providers.ts';

/** The identity providers, with the functions that load their document again and stop watching it. */
export interface OpenedProviders extends Providers {
  reload(): void;
  close(): void;
}

/** What the providers are opened with. */
interface ProviderParts {
  readonly settings: Settings;
  readonly log: Logger;
  /** What capabilities remove of a local user whom a person of a provider takes over. */
  readonly takeOvers: readonly TakeOver[];
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/**
 * The identity providers that are set. Their code is loaded only if there are any. A fault of their document is thrown
 * (`DocumentsFaulty`). A provider is asked first when a person signs in there, so the service starts while it is down.
 */
export async function openProviders(parts: ProviderParts): Promise<OpenedProviders> {
  const { settings, log, takeOvers, clock } = parts;
  const { providers: file, portalUrl, namesCaseSensitive } = settings;
  if (file === '') return { ...NO_PROVIDERS, reload: () => undefined, close: () => undefined };
  const { IdentityProviders } = await import('./identity-providers.ts');
  const sources = { file, portalUrl, namesCaseSensitive, takeOvers, clock };
  return new IdentityProviders(sources, {
    onLoaded: (providers) => log.info({ providers: providers.length }, 'identity providers loaded'),
    onFault: (fault) =>
      log.error({ err: fault }, 'document of identity providers faulty: the last good one stays in force'),
  });
}
