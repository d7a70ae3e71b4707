import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { FileWatch, stampOf } from '../../file-watch.ts';
import { type CertificateFiles, type CertifiedKey, readCertificate } from './certificate.ts';

/** Called with the result of each reload. */
export interface CertificateReports {
  readonly onLoaded: (certificate: CertifiedKey) => void;
  readonly onFault: (fault: unknown) => void;
}

/** Keeps the certificate in force, and the last good one while its files are faulty. */
export class CertificateKeeper {
  readonly #files: CertificateFiles;
  readonly #watch: FileWatch;
  #current: CertifiedKey;
  #reports: CertificateReports | undefined;

  /** Reads the files; throws `CertificateFaulty`. */
  constructor(files: CertificateFiles) {
    this.#files = files;
    const paths = [files.cert, files.key];
    this.#watch = new FileWatch({
      stamp: () => stampNow(paths),
      laterStamp: () => laterStamp(paths),
      onChange: () => this.reload(),
    });
    this.#watch.noteReading();
    this.#current = readCertificate(files);
  }

  get current(): CertifiedKey {
    return this.#current;
  }

  /** Reads the files again whenever they change, from now on until `close`. */
  watch(reports: CertificateReports): void {
    this.#reports = reports;
    this.#watch.start();
  }

  /** Reads the files again; a fault is reported and changes nothing. */
  reload(): void {
    this.#watch.noteReading();
    try {
      this.#current = readCertificate(this.#files);
      this.#reports?.onLoaded(this.#current);
    } catch (fault) {
      this.#reports?.onFault(fault);
    }
  }

  close(): void {
    this.#watch.close();
  }
}

const codeOf = (fault: unknown) => String((fault as NodeJS.ErrnoException).code);

function stampNow(paths: readonly string[]): string {
  try {
    return paths.map((path) => stampOf(path, statSync(path))).join('\n');
  } catch (fault) {
    return codeOf(fault);
  }
}

async function laterStamp(paths: readonly string[]): Promise<string> {
  const stamps: string[] = [];
  try {
    for (const path of paths) stamps.push(stampOf(path, await stat(path)));
    return stamps.join('\n');
  } catch (fault) {
    return codeOf(fault);
  }
}
