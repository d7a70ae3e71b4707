import type { Execute } from '../core/gate/call.ts';
import type { Gate } from '../core/gate/execute.ts';
import type { PageRefusals } from '../core/http/refusal.ts';
import { type FindRoute, routes } from '../core/http/routes.ts';
import type { AnyOperation } from '../core/operation.ts';
import type { Metrics } from '../core/telemetry/metrics.ts';
import { cookieSealerFor, type ServiceParts } from './assembly.ts';
import { CAPABILITIES } from './capabilities.ts';

/** Whether a target may lead to a page: the root, a path of the portal, or one that is written in another way. */
const MAY_BE_PAGE = /^\/(?:portal|%|\?|$)|^[^/]/;

/**
 * The pages for people. Their code is loaded for the first request to one: it is a quarter of all, and a service that only
 * programs call needs none of it.
 */
export class LatePages {
  readonly #parts: ServiceParts;
  readonly #gate: Gate;
  readonly #metrics: Metrics;
  readonly #handlers: Map<AnyOperation, Execute>;
  #find: FindRoute | undefined;
  #refusals: PageRefusals | undefined;
  #loading: Promise<void> | undefined;

  /** Adds what handles the pages to `handlers` once they are loaded. */
  constructor(
    parts: ServiceParts,
    { gate, metrics }: { readonly gate: Gate; readonly metrics: Metrics },
    handlers: Map<AnyOperation, Execute>,
  ) {
    this.#parts = parts;
    this.#gate = gate;
    this.#metrics = metrics;
    this.#handlers = handlers;
  }

  /** Loads the pages if the target may lead to one; undefined if there is nothing to wait for. */
  loadFor(url: string): Promise<void> | undefined {
    if (this.#find !== undefined || !MAY_BE_PAGE.test(url)) return undefined;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** Finds a page that is loaded. */
  find(segments: readonly string[]): ReturnType<FindRoute> {
    return this.#find?.(segments);
  }

  /** How refusals are shown on pages, once they are loaded. */
  get refusals(): PageRefusals | undefined {
    return this.#refusals;
  }

  async #load(): Promise<void> {
    const { settings, clock } = this.#parts;
    const [{ pagesWith, refusalPage }, { formsKeptBy }] = await Promise.all([
      import('./pages.ts'),
      import('../faces/pages/kept-form.ts'),
    ]);
    const pages = await pagesWith(CAPABILITIES);
    for (const page of pages) this.#handlers.set(page, this.#gate.handlerFor(page));
    this.#metrics.addOperations(pages.map(({ id }) => id));
    this.#refusals = { refusalPage, keepForm: formsKeptBy(cookieSealerFor(settings), clock) };
    this.#find = routes(pages, settings.basePaths);
  }
}
