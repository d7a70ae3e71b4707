import { readFileSync, statSync } from 'node:fs';
import { path } from './parsers.ts';
import { oneLine, textIn } from './text-in.ts';

/** A setting as it was given: its text, or the file that holds it. `from` says where it was given. */
export type GivenSetting = { readonly from: string } & (
  | { readonly text: string }
  | { readonly file: string }
);

/**
 * The text that was given. Throws if its file cannot be read. The error shows neither path nor text: somebody may have
 * written the secret in place of the path.
 */
export function textOf(given: GivenSetting): string {
  if ('text' in given) return given.text;
  const file = path(given.file);
  try {
    return textIn(readFileSync(file));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw new Error(`the file cannot be read: ${message}`);
    throw new Error(`the file cannot be read (${code}): name one that holds the secret and may be read`);
  }
}

/** The secret that was given. Throws as {@link textOf} and {@link oneLine} do. */
export const secretOf = (given: GivenSetting): string => oneLine(textOf(given));

/**
 * The setting in a form that can be read again. If its source can be read only once, such as a pipe, that is `text`
 * itself.
 */
export function readAgain(given: GivenSetting, text: string): GivenSetting {
  if ('text' in given) return given;
  const stays = statSync(given.file, { throwIfNoEntry: false })?.isFile();
  return stays ? given : { from: given.from, text };
}
