import { FileWatch } from '../file-watch.ts';
import type { Catalogue } from './catalogue.ts';
import { type CatalogueSources, loadCatalogue } from './load.ts';
import { documentsStamp, laterDocumentsStamp } from './stamp.ts';

/** Told of what became of a reload. */
export interface ReloadReports {
  readonly onLoaded: (catalogue: Catalogue) => void;
  readonly onFault: (fault: unknown) => void;
}

/** Keeps the catalogue in force, and the last good one when its documents become faulty. */
export class CatalogueKeeper {
  readonly #sources: CatalogueSources;
  readonly #reports: ReloadReports;
  readonly #watch: FileWatch;
  #catalogue: Catalogue;

  /** Loads for the first time; throws `DocumentsFaulty`. Looks at the documents from then on, until `close`. */
  constructor(sources: CatalogueSources, reports: ReloadReports) {
    this.#sources = sources;
    this.#reports = reports;
    this.#watch = new FileWatch({
      stamp: () => documentsStamp(sources),
      laterStamp: () => laterDocumentsStamp(sources),
      onChange: () => this.reload(),
    });
    this.#watch.noteReading();
    this.#catalogue = loadCatalogue(sources);
    if (sources.definitions !== '' || sources.model !== '') this.#watch.start();
  }

  /** The catalogue in force. */
  get current(): Catalogue {
    return this.#catalogue;
  }

  /** Loads again; a faulty document is reported and changes nothing. */
  reload(): void {
    this.#watch.noteReading();
    try {
      this.#catalogue = loadCatalogue(this.#sources);
      this.#reports.onLoaded(this.#catalogue);
    } catch (fault) {
      this.#reports.onFault(fault);
    }
  }

  close(): void {
    this.#watch.close();
  }
}
