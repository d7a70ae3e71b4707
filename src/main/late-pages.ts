import type { Execute } from '../core/gate/call.ts';
import type { Gate } from '../core/gate/execute.ts';
import type { PageRefusals } from '../core/http/refusal.ts';
import type { routeTable } from '../core/http/routes.ts';
import type { AnyOperation } from '../core/operation.ts';
import type { Metrics } from '../core/telemetry/metrics.ts';
import { cookieSealerFor, type ServiceParts } from './assembly.ts';
import { CAPABILITIES } from './capabilities.ts';

/** Where pages are added once they are loaded. */
interface PlacesOfPages {
  readonly gate: Gate;
  readonly metrics: Metrics;
  readonly table: Pick<ReturnType<typeof routeTable>, 'add'>;
  readonly handlers: Map<AnyOperation, Execute>;
}

/**
 * The pages for people. Their code is loaded for the first request to one: it is a quarter of all, and a service that only
 * programs call needs none of it.
 */
export class LatePages {
  readonly #parts: ServiceParts;
  readonly #places: PlacesOfPages;
  #refusals: PageRefusals | undefined;
  #loading: Promise<void> | undefined;

  constructor(parts: ServiceParts, places: PlacesOfPages) {
    this.#parts = parts;
    this.#places = places;
  }

  /** Loads the pages; undefined once they are loaded. One that failed is tried again with the next request. */
  load(): Promise<void> | undefined {
    if (this.#refusals !== undefined) return undefined;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** How refusals are shown on pages, once they are loaded. */
  get refusals(): PageRefusals | undefined {
    return this.#refusals;
  }

  async #load(): Promise<void> {
    const { settings, clock } = this.#parts;
    const { gate, metrics, table, handlers } = this.#places;
    const [{ pagesWith, refusalPage }, { formsKeptBy }] = await Promise.all([
      import('./pages.ts'),
      import('../faces/pages/kept-form.ts'),
    ]);
    const pages = await pagesWith(CAPABILITIES);
    for (const page of pages) handlers.set(page, gate.handlerFor(page));
    table.add(pages);
    metrics.addOperations(pages.map(({ id }) => id));
    this.#refusals = { refusalPage, keepForm: formsKeptBy(cookieSealerFor(settings), clock) };
  }
}
