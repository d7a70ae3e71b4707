import { isUtf8 } from 'node:buffer';

/**
 * The text in what was given as bytes, such as a password: without a byte order mark, and without its last line break.
 * Throws when it is not UTF-8, since another text would take its place. The error shows nothing of it.
 */
export function textIn(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new Error('it is not UTF-8: convert it, such as with iconv -f latin1 -t utf-8');
  return new TextDecoder().decode(bytes).replace(/\r?\n$/, '');
}
