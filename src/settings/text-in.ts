import { isUtf8 } from 'node:buffer';

/**
 * The text in what was given as bytes, such as a password: without a byte order mark, and without its last line break.
 * Throws when it is not UTF-8, since another text would take its place. The error shows nothing of it.
 */
export function textIn(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new Error('it is not UTF-8: convert it, such as with iconv -f latin1 -t utf-8');
  return new TextDecoder().decode(bytes).replace(/\r?\n$/, '');
}

/**
 * The text of a secret, which is one line. What stands behind that, such as an empty line, nobody sees and nobody can type.
 * Throws where there is more; the error shows nothing of it.
 */
export function oneLine(text: string): string {
  if (/[\r\n\0]/.test(text))
    throw new Error('it has more than one line, or a NUL: leave the secret alone, with nothing behind it');
  return text;
}
