import { readFileSync } from 'node:fs';
import { textIn } from './text-in.ts';

/** A setting as it was given: its text, or the file that holds it, and how the place is called where that stands. */
export type Given = { readonly from: string } & ({ readonly text: string } | { readonly file: string });

/** The text that was given. Throws when its file cannot be read, and shows nothing of it. */
export function textOf(given: Given): string {
  if ('text' in given) return given.text;
  try {
    return textIn(readFileSync(given.file));
  } catch (error) {
    throw new Error(`the file cannot be read: ${(error as Error).message}`);
  }
}
