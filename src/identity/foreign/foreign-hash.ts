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

/** The number in a text, checked against what a login can do and be made to cost. */
export function bounded(text: string | undefined, least: number, most: number, what: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < least || number > most)
    throw new HashUnreadable(
      `has a hash whose ${what} is not from ${least} to ${most}, so no login could check it: leave the user out, and give it a new password`,
    );
  return number;
}

/** The bytes of a digest: one of fewer would let other passwords in too. */
const DIGEST = { least: 16, most: 512 };

/** A digest as it is kept, and the length that its last step has to make. */
export function digestOf(raw: Buffer): { readonly length: number; readonly digest: string } {
  const { length } = raw;
  if (length < DIGEST.least || length > DIGEST.most)
    throw new HashUnreadable(
      `has a hash whose digest is not of ${DIGEST.least} to ${DIGEST.most} bytes: export it whole, or leave the user out, and give it a new password`,
    );
  return { length, digest: raw.toString('base64') };
}

/** Whether what comes out of the steps is long enough to tell one password from all others. */
export function tellsApart(steps: readonly Step[]): boolean {
  const last = steps.at(-1);
  return last !== undefined && (!('length' in last) || last.length >= DIGEST.least);
}

/** The bytes in base64 as PHC strings, passlib and Python write it: padded or not, with `+` or with `.`. */
export function fromBase64(text: string): Buffer {
  return Buffer.from(text.replaceAll('.', '+'), 'base64');
}
