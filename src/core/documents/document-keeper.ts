import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { FileWatch, stampOf } from '../file-watch.ts';

/** Called with the outcome of each reload. */
interface DocumentReports<T> {
  readonly onLoaded: (content: T) => void;
  readonly onFault: (fault: unknown) => void;
}

const codeOf = (fault: unknown) => String((fault as NodeJS.ErrnoException).code);

function documentStamp(file: string): string {
  try {
    return stampOf(file, statSync(file));
  } catch (fault) {
    return codeOf(fault);
  }
}

const documentStampAsync = (file: string): Promise<string> =>
  stat(file).then((stats) => stampOf(file, stats), codeOf);

/** Keeps what one document says. If the document becomes faulty or cannot be read, its last good content stays. */
export class DocumentKeeper<T> {
  readonly #load: () => T;
  readonly #reports: DocumentReports<T>;
  readonly #watch: FileWatch;
  #content: T;

  /** Loads the document and watches it until `close`. Throws what `load` throws (`DocumentsFaulty`). */
  constructor(file: string, load: () => T, reports: DocumentReports<T>) {
    this.#load = load;
    this.#reports = reports;
    this.#watch = new FileWatch({
      stamp: () => documentStamp(file),
      stampAsync: () => documentStampAsync(file),
      onChange: () => this.reload(),
    });
    this.#watch.noteReading();
    this.#content = load();
    this.#watch.start();
  }

  /** The content in force. */
  get current(): T {
    return this.#content;
  }

  /** Loads the document again. A faulty one is reported and changes nothing. */
  reload(): void {
    this.#watch.noteReading();
    try {
      this.#content = this.#load();
      this.#reports.onLoaded(this.#content);
    } catch (fault) {
      this.#reports.onFault(fault);
    }
  }

  close(): void {
    this.#watch.close();
  }
}
