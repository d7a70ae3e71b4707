import { FileWatch } from '../../../core/file-watch.ts';
import type { Catalogue } from './catalogue.ts';
import { type CatalogueSources, loadCatalogue } from './load.ts';
import { documentsStamp, documentsStampAsync } from './stamp.ts';

/** Called with the outcome of each reload. */
interface ReloadReports {
  readonly onLoaded: (catalogue: Catalogue) => void;
  readonly onFault: (fault: unknown) => void;
}

/** Keeps the catalogue in force. If the documents become faulty, the last good catalogue stays. */
export class CatalogueKeeper {
  readonly #sources: CatalogueSources;
  readonly #reports: ReloadReports;
  readonly #watch: FileWatch;
  #catalogue: Catalogue;

  /** Loads the catalogue and watches its documents until `close`. Throws `DocumentsFaulty`. */
  constructor(sources: CatalogueSources, reports: ReloadReports) {
    this.#sources = sources;
    this.#reports = reports;
    this.#watch = new FileWatch({
      stamp: () => documentsStamp(sources),
      stampAsync: () => documentsStampAsync(sources),
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

  /** Loads the catalogue again. A faulty document is reported and changes nothing. */
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
