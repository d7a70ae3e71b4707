import { type FSWatcher, statSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import type { Catalogue } from './catalogue.ts';
import { type CatalogueSources, documentsStamp, loadCatalogue } from './load.ts';

/** Told of what became of a reload. */
export interface ReloadReports {
  readonly onLoaded: (catalogue: Catalogue) => void;
  readonly onFault: (fault: unknown) => void;
}

/** Editors write a file in several steps: documents are looked at so many milliseconds after the first one. */
const SETTLED = 200;

/** The folder to watch for a document: many editors put a new file in the place of the old one. */
const folderOf = (path: string) => (statSync(path).isDirectory() ? path : dirname(path));

/** Keeps the catalogue in force, and the last good one when its documents become faulty. */
export class CatalogueKeeper {
  readonly #sources: CatalogueSources;
  readonly #reports: ReloadReports;
  readonly #watchers: FSWatcher[];
  #catalogue: Catalogue;
  #timer: NodeJS.Timeout | undefined;
  #stamp: string;

  /** Loads for the first time; throws `CatalogueFaulty`. Watches the documents from then on, until `close`. */
  constructor(sources: CatalogueSources, reports: ReloadReports) {
    this.#sources = sources;
    this.#reports = reports;
    this.#stamp = documentsStamp(sources);
    this.#catalogue = loadCatalogue(sources);
    const paths = [sources.definitions, sources.model].filter((path) => path !== '');
    this.#watchers = paths.map((path) => watch(folderOf(path), { persistent: false }, () => this.#later()));
    for (const watcher of this.#watchers) watcher.on('error', reports.onFault);
  }

  /** The catalogue in force. */
  get current(): Catalogue {
    return this.#catalogue;
  }

  /** Loads again; a faulty document is reported and changes nothing. */
  reload(): void {
    this.#stamp = documentsStamp(this.#sources);
    try {
      this.#catalogue = loadCatalogue(this.#sources);
      this.#reports.onLoaded(this.#catalogue);
    } catch (fault) {
      this.#reports.onFault(fault);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers) watcher.close();
  }

  /** Something changed in the folder of a document, which may well be another file. */
  #later(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (documentsStamp(this.#sources) !== this.#stamp) this.reload();
    }, SETTLED).unref();
  }
}
