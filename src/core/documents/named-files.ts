import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DocumentFault } from './read-document.ts';

/** A document that names files. */
interface NamingDocument {
  readonly file: string;
  faultAt(pointer: string, why: string): DocumentFault;
}

/**
 * Reads a file that a document names, from the folder of the document. A file that cannot be read, or in which `check` finds a
 * fault, is added to `faults`; the text is empty then, or as it was read.
 */
export function readNamedFile(
  document: NamingDocument,
  pointer: string,
  named: string,
  check: (text: string) => string | undefined,
  faults: DocumentFault[],
): string {
  let text = '';
  let why: string | undefined;
  try {
    text = readFileSync(resolve(dirname(document.file), named), 'utf8');
    why = check(text);
  } catch (error) {
    why = `cannot be read: ${(error as Error).message}`;
  }
  if (why !== undefined) faults.push(document.faultAt(pointer, `names a file that ${why}`));
  return text;
}

/** Why this text holds no certificate in PEM; undefined if it does. */
export function faultOfCertificates(text: string): string | undefined {
  try {
    new X509Certificate(text);
    return undefined;
  } catch {
    return 'holds no certificate in PEM: convert it, such as with openssl x509';
  }
}
