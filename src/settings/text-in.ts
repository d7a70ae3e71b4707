import { isUtf8 } from 'node:buffer';

/**
 * Decodes bytes, such as a password, without a byte order mark and without the last line break. Throws if they are not
 * UTF-8, since decoding would change the text. The error shows nothing of it.
 */
export function textIn(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new Error('it is not UTF-8: convert it, such as with iconv -f latin1 -t utf-8');
  return new TextDecoder().decode(bytes).replace(/\r?\n$/, '');
}

/**
 * A secret, which is one line. Throws if there is more, such as an empty line at the end: nobody sees or can type that.
 * The error shows nothing of the secret.
 */
export function oneLine(text: string): string {
  if (/[\r\n\0]/.test(text))
    throw new Error('it has more than one line, or a NUL: leave the secret alone, with nothing behind it');
  return text;
}
