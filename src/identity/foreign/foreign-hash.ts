import type { Step } from './step.ts';

/** A hash that another system made: how it made it of a password, and what came out, as the last step writes it. */
export interface ForeignHash {
  readonly steps: readonly Step[];
  readonly digest: string;
}

/** A hash as it will be kept: an argon2id PHC string as it is, or another one to be wrapped. */
export type ImportedHash = { readonly argon2id: string } | ForeignHash;

/** Thrown by readers of hashes: what is wrong, and the mend. Never holds any of the hash. */
export class HashUnreadable extends Error {
  override name = 'HashUnreadable';
}

/** The number in a text, checked against what a login can be made to cost. */
export function bounded(text: string | undefined, least: number, most: number, what: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < least || number > most)
    throw new HashUnreadable(
      `has a hash whose ${what} is not from ${least} to ${most}, so no login could pay for it: leave the user out, and give it a new password`,
    );
  return number;
}

/** The bytes in base64 as PHC strings, passlib and Python write it: padded or not, with `+` or with `.`. */
export function fromBase64(text: string): Buffer {
  return Buffer.from(text.replaceAll('.', '+'), 'base64');
}
