import { readFileSync, statSync } from 'node:fs';
import { path } from './parsers.ts';
import { oneLine, textIn } from './text-in.ts';

/** A setting as it was given: its text, or the file that holds it, and how the place is called where that stands. */
export type GivenSetting = { readonly from: string } & (
  | { readonly text: string }
  | { readonly file: string }
);

/** The text that was given. Throws when its file cannot be read, and shows neither of them: the secret itself may have been written in the file's place. */
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

/** What `text` was read from, to be read again; the text itself where that gives it once only, as a pipe does. */
export function readAgain(given: GivenSetting, text: string): GivenSetting {
  if ('text' in given) return given;
  const stays = statSync(given.file, { throwIfNoEntry: false })?.isFile();
  return stays ? given : { from: given.from, text };
}
