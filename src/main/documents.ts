import type { Logger } from 'pino';
import type { Catalogue } from '../capabilities/action-definitions/catalogue/catalogue.ts';
import { CatalogueKeeper } from '../capabilities/action-definitions/catalogue/keeper.ts';
import type { OpenedProviders } from '../capabilities/oidc/assembly.ts';
import { loadRules } from '../capabilities/proxy-gate/rules/load.ts';
import type { GateRules } from '../capabilities/proxy-gate/rules/rules.ts';
import type { OpenedWebhooks } from '../capabilities/webhooks/assembly.ts';
import { DocumentKeeper } from '../core/documents/document-keeper.ts';
import type { Settings } from '../core/settings/table.ts';

/** The documents of the operator that are in force. */
export interface Documents {
  readonly currentCatalogue: () => Catalogue;
  /** Undefined if the gate has no rules. */
  readonly currentRules: () => GateRules | undefined;
  /** Loads all of them again. */
  reload(): void;
  /** Watches them no more. */
  close(): void;
}

interface DocumentParts {
  readonly settings: Settings;
  readonly log: Logger;
  readonly providers: OpenedProviders;
  readonly webhooks: OpenedWebhooks;
}

function catalogueKeeper({ settings, log }: DocumentParts): CatalogueKeeper {
  const { definitions, definitionsGeneration: generation, model } = settings;
  return new CatalogueKeeper(
    { definitions, generation, model },
    {
      onLoaded: (catalogue) => log.info({ definitions: catalogue.definitions.length }, 'catalogue loaded'),
      onFault: (fault) => log.error({ err: fault }, 'catalogue faulty: the last good one stays in force'),
    },
  );
}

function rulesKeeper({ settings, log }: DocumentParts): DocumentKeeper<GateRules> | undefined {
  const { gateRules: file, namesCaseSensitive } = settings;
  if (file === '') return undefined;
  return new DocumentKeeper(file, () => loadRules(file, namesCaseSensitive), {
    onLoaded: ({ rules }) => log.info({ rules: rules.length }, 'rules of the gate loaded'),
    onFault: (fault) =>
      log.error({ err: fault }, 'rules of the gate faulty: the last good ones stay in force'),
  });
}

/**
 * Loads the documents, without those of identity providers and webhooks, and loads all of them again when they change. A fault at the start is
 * thrown (`DocumentsFaulty`). A later one is logged, and the last good document stays in force.
 */
export function keepDocuments(parts: DocumentParts): Documents {
  const rules = rulesKeeper(parts);
  try {
    const catalogue = catalogueKeeper(parts);
    const keepers = [catalogue, ...(rules ? [rules] : []), parts.providers, parts.webhooks];
    return {
      currentCatalogue: () => catalogue.current,
      currentRules: () => rules?.current,
      reload: () => {
        for (const keeper of keepers) keeper.reload();
      },
      close: () => {
        for (const keeper of keepers) keeper.close();
      },
    };
  } catch (fault) {
    rules?.close();
    throw fault;
  }
}
