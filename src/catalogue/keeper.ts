import type { Catalogue } from './catalogue.ts';
import { type CatalogueSources, loadCatalogue } from './load.ts';
import { documentsStamp, laterDocumentsStamp } from './stamp.ts';

/** Told of what became of a reload. */
export interface ReloadReports {
  readonly onLoaded: (catalogue: Catalogue) => void;
  readonly onFault: (fault: unknown) => void;
}

/** Milliseconds between two looks at the documents, which are read again once two looks running find the same change. */
const BETWEEN_LOOKS = 500;

/** Keeps the catalogue in force, and the last good one when its documents become faulty. */
export class CatalogueKeeper {
  readonly #sources: CatalogueSources;
  readonly #reports: ReloadReports;
  #nextLook: NodeJS.Timeout | undefined;
  #closed = false;
  #catalogue: Catalogue;
  /** Of the documents as they were when they were last read. */
  #readStamp: string;
  /** Of the documents at the last look. */
  #seenStamp: string;

  /** Loads for the first time; throws `DocumentsFaulty`. Looks at the documents from then on, until `close`. */
  constructor(sources: CatalogueSources, reports: ReloadReports) {
    this.#sources = sources;
    this.#reports = reports;
    this.#readStamp = documentsStamp(sources);
    this.#seenStamp = this.#readStamp;
    this.#catalogue = loadCatalogue(sources);
    if (sources.definitions !== '' || sources.model !== '') this.#lookSoon();
  }

  /** The catalogue in force. */
  get current(): Catalogue {
    return this.#catalogue;
  }

  /** Loads again; a faulty document is reported and changes nothing. */
  reload(): void {
    this.#readStamp = documentsStamp(this.#sources);
    try {
      this.#catalogue = loadCatalogue(this.#sources);
      this.#reports.onLoaded(this.#catalogue);
    } catch (fault) {
      this.#reports.onFault(fault);
    }
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#nextLook);
  }

  /** Asks for the files, in place of being told of them: a link on their way may lead elsewhere by now. */
  async #look(): Promise<void> {
    const stamp = await laterDocumentsStamp(this.#sources);
    if (this.#closed) return;
    // Files are written in several steps: one that still changes is no document yet.
    if (stamp !== this.#readStamp && stamp === this.#seenStamp) this.reload();
    this.#seenStamp = stamp;
    this.#lookSoon();
  }

  #lookSoon(): void {
    this.#nextLook = setTimeout(() => void this.#look(), BETWEEN_LOOKS).unref();
  }
}
