import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { FileWatch, stampOf } from '../../file-watch.ts';

/** The files of a certificate and its key, both in PEM. */
interface CertificateFiles {
  /** The server's own certificate first, then those of the intermediate authorities. */
  readonly cert: string;
  readonly key: string;
}

/** A certificate and its key, checked. */
export interface CertifiedKey {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** The server's own certificate. */
  readonly leaf: X509Certificate;
}

/** Why a certificate or its key cannot be used: a sentence that names the setting and the mend. */
export class CertificateFaulty extends Error {
  override name = 'CertificateFaulty';

  constructor(setting: 'TESSERA_TLS_CERT' | 'TESSERA_TLS_KEY', why: string, cause?: unknown) {
    super(`${setting}: ${why}`, { cause });
  }
}

/** Reads a certificate and its key. Throws {@link CertificateFaulty}. */
export function readCertificate({ cert: certFile, key: keyFile }: CertificateFiles): CertifiedKey {
  const cert = bytesOf('TESSERA_TLS_CERT', certFile);
  const key = bytesOf('TESSERA_TLS_KEY', keyFile);
  const leaf = leafIn(cert, certFile);
  if (!leaf.checkPrivateKey(privateKeyIn(key, keyFile)))
    throw new CertificateFaulty(
      'TESSERA_TLS_KEY',
      `the key in ${keyFile} does not belong to the first certificate in ${certFile}: name the two files that were issued together`,
    );
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    const why = `the certificates in ${certFile} cannot be served: ${(cause as Error).message}: have them issued anew`;
    throw new CertificateFaulty('TESSERA_TLS_CERT', why, cause);
  }
  return { cert, key, leaf };
}

/** Why clients will refuse the certificate at this time, with the mend; undefined if they will not. */
export function validityFault({ leaf }: CertifiedKey, file: string, now: number): string | undefined {
  const [from, to] = [leaf.validFromDate, leaf.validToDate];
  if (to.getTime() < now)
    return `the certificate in ${file} expired at ${to.toISOString()}, so clients refuse it: put a new one there, it is loaded without a restart`;
  if (from.getTime() > now)
    return `the certificate in ${file} is valid from ${from.toISOString()} on, so clients refuse it until then: check this machine's clock, or put another one there`;
  return undefined;
}

const DAY = 86_400_000;
/** How long before its end a certificate should have been renewed, in milliseconds; of short-lived ones a quarter of their life. */
const RENEWED_BEFORE = 14 * DAY;

/** When a certificate ends that should have been renewed by now, with the mend; undefined if there is time. */
export function renewalWarning({ leaf }: CertifiedKey, file: string, now: number): string | undefined {
  const [from, to] = [leaf.validFromDate.getTime(), leaf.validToDate.getTime()];
  if (to < now || to - now > Math.min(RENEWED_BEFORE, (to - from) / 4)) return undefined;
  return `the certificate in ${file} expires at ${leaf.validToDate.toISOString()}, and then clients refuse it: renew it, it is loaded without a restart`;
}

function bytesOf(setting: 'TESSERA_TLS_CERT' | 'TESSERA_TLS_KEY', file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const why = `the file ${file} cannot be read (${code}): name one that is there and that the service's user may read`;
    throw new CertificateFaulty(setting, why, cause);
  }
}

function leafIn(cert: Buffer, file: string): X509Certificate {
  try {
    // Node reads a certificate in DER as well, but not for TLS.
    if (!cert.includes('-----BEGIN ')) throw new Error('it is not PEM');
    return new X509Certificate(cert);
  } catch (cause) {
    const why = `the file ${file} holds no certificate in PEM: convert it, such as with openssl x509`;
    throw new CertificateFaulty('TESSERA_TLS_CERT', why, cause);
  }
}

function privateKeyIn(key: Buffer, file: string): KeyObject {
  try {
    return createPrivateKey(key);
  } catch {
    const why = /^-----BEGIN ENCRYPTED |^Proc-Type: .*ENCRYPTED/m.test(key.toString('latin1'))
      ? `the key in ${file} is encrypted: write it without a passphrase, such as with openssl pkey, into a file for the service's user alone`
      : `the file ${file} holds no private key in PEM: convert it, such as with openssl pkey`;
    // Without the cause, which might repeat what is in the file.
    throw new CertificateFaulty('TESSERA_TLS_KEY', why);
  }
}

/** Called with the result of each reload. */
interface CertificateReports {
  readonly onLoaded: (certificate: CertifiedKey) => void;
  readonly onFault: (fault: unknown) => void;
}

/** Keeps the certificate in force: the last good one while the files are faulty. */
export class CertificateKeeper {
  readonly #files: CertificateFiles;
  readonly #watch: FileWatch;
  #current: CertifiedKey;
  #reports: CertificateReports | undefined;

  /** Reads the files. Throws {@link CertificateFaulty}. */
  constructor(files: CertificateFiles) {
    this.#files = files;
    const paths = [files.cert, files.key];
    this.#watch = new FileWatch({
      stamp: () => stampNow(paths),
      stampAsync: () => stampAsync(paths),
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

  /** Reads the files again. A fault is reported and changes nothing. */
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

async function stampAsync(paths: readonly string[]): Promise<string> {
  const stamps: string[] = [];
  try {
    for (const path of paths) stamps.push(stampOf(path, await stat(path)));
    return stamps.join('\n');
  } catch (fault) {
    return codeOf(fault);
  }
}
