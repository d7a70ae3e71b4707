import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { path } from './parsers.ts';

/** A setting as it was given: its text, or the file that holds it. `from` says where it was given. */
export type GivenSetting = { readonly from: string } & (
  | { readonly text: string }
  | { readonly file: string }
);

/**
 * The text that was given. Throws if its file cannot be read. The error shows no text, and no path that leads nowhere: somebody may
 * have written the secret in place of the path.
 */
export function textOf(setting: GivenSetting): string {
  if ('text' in setting) return setting.text;
  const file = path(setting.file);
  try {
    return textIn(readFileSync(file));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw new Error(`the file cannot be read: ${message}`);
    // A path that leads into a closed folder or file is no secret.
    const named = code === 'EACCES' ? ` ${file}` : '';
    throw new Error(
      `the file${named} cannot be read (${code}): name one that holds the secret and may be read`,
    );
  }
}

/** The secret that was given. Throws as {@link textOf} and {@link oneLine} do. */
export const secretOf = (setting: GivenSetting): string => oneLine(textOf(setting));

/**
 * Returns a function that reads a password from where it was given, each time anew: a changed file counts without a restart.
 * Its errors name the setting.
 */
export function passwordFrom(setting: GivenSetting | undefined): (() => string) | undefined {
  if (setting === undefined) return undefined;
  return () => {
    try {
      return secretOf(setting);
    } catch (error) {
      throw new Error(`${setting.from}: ${(error as Error).message}`, { cause: error });
    }
  };
}

/**
 * The setting in a form that can be read again. If its source can be read only once, such as a pipe, that is `text`
 * itself.
 */
export function readAgain(setting: GivenSetting, text: string): GivenSetting {
  if ('text' in setting) return setting;
  const stays = statSync(setting.file, { throwIfNoEntry: false })?.isFile();
  return stays ? setting : { from: setting.from, text };
}

/**
 * Decodes bytes, such as a password, without a byte order mark and without the last line break. Throws if they are not
 * UTF-8, since decoding would change the text. The error shows nothing of it.
 */
export function textIn(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new Error('it is not UTF-8: convert it, such as with iconv -f latin1 -t utf-8');
  return new TextDecoder().decode(bytes).replace(/\r?\n$/, '');
}

/**
 * A secret, which is one line. Throws if there is more, such as an empty line at the end: no user can see or type that.
 * The error shows nothing of the secret.
 */
export function oneLine(text: string): string {
  if (/[\r\n\0]/.test(text))
    throw new Error('it has more than one line, or a NUL: leave the secret alone, with nothing behind it');
  return text;
}
