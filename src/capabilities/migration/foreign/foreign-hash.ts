import { createHash, pbkdf2, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { type Algorithm, hashRaw, type Version } from '@node-rs/argon2';

const derive = {
  pbkdf2: promisify(pbkdf2),
  scrypt: promisify<Input, Buffer, number, object, Buffer>(scrypt),
};

type Input = string | Buffer;

/** The argon2 algorithms, by the numbers that the package gives them. */
export const VARIANTS = { d: 0, i: 1, id: 2 } as const;

/** One step of the computation that makes another system's hash from a password. A salt of bytes is in base64. */
export type Step =
  | { readonly kind: 'md4' }
  | { readonly kind: 'sha256'; readonly salt?: string }
  | { readonly kind: 'bcrypt'; readonly cost: number; readonly salt: string }
  | {
      readonly kind: 'scrypt';
      /** The binary logarithm of N. */
      readonly ln: number;
      readonly r: number;
      readonly p: number;
      readonly length: number;
      readonly salt: string;
    }
  | {
      readonly kind: 'pbkdf2';
      readonly digest: string;
      readonly iterations: number;
      readonly length: number;
      readonly salt: string;
    }
  | {
      readonly kind: 'argon2';
      readonly variant: keyof typeof VARIANTS;
      readonly version: 16 | 19;
      readonly memory: number;
      readonly passes: number;
      readonly lanes: number;
      readonly length: number;
      readonly salt: string;
    };

/** A hash that another system made: the steps from the password, and the digest as the last step writes it. */
export interface ForeignHash {
  readonly steps: readonly Step[];
  readonly digest: string;
}

/** A hash that was read: an argon2id PHC string, which is stored unchanged, or another hash, which is wrapped first. */
export type ImportedHash = { readonly argon2id: string } | ForeignHash;

const bytes = (base64: string) => Buffer.from(base64, 'base64');

/** Length of the beginning of a bcrypt string: version, cost and salt. */
const BCRYPT_HEAD = 29;

/** Applies one step to a text. Slow steps run on another thread; a package is loaded when it is first needed. */
async function applyStep(step: Step, text: string): Promise<string> {
  switch (step.kind) {
    case 'md4':
      return (await import('hash-wasm')).md4(Buffer.from(text, 'utf16le'));
    case 'sha256':
      return createHash('sha256')
        .update(step.salt ? `${text}{${step.salt}}` : text)
        .digest('hex');
    case 'bcrypt': {
      const { hash } = await import('@node-rs/bcrypt');
      const made = await hash(Buffer.from(text), step.cost, bytes(step.salt));
      return made.slice(BCRYPT_HEAD);
    }
    case 'scrypt': {
      const { r, p } = step;
      const N = 2 ** step.ln;
      const options = { N, r, p, maxmem: 2 * 128 * r * (N + p) };
      return (await derive.scrypt(text, bytes(step.salt), step.length, options)).toString('base64');
    }
    case 'pbkdf2': {
      const { digest, iterations, length, salt } = step;
      return (await derive.pbkdf2(text, bytes(salt), iterations, length, digest)).toString('base64');
    }
    case 'argon2': {
      const { memory: memoryCost, passes: timeCost, lanes: parallelism, length: outputLen } = step;
      const algorithm = VARIANTS[step.variant] as Algorithm;
      const version = (step.version === 19 ? 1 : 0) as Version;
      const cost = { memoryCost, timeCost, parallelism, outputLen, algorithm, version };
      return (await hashRaw(Buffer.from(text), { ...cost, salt: bytes(step.salt) })).toString('base64');
    }
  }
}

/** Applies all steps to a password, each to the result of the one before. */
export async function applySteps(steps: readonly Step[], password: string): Promise<string> {
  let text = password;
  for (const step of steps) text = await applyStep(step, text);
  return text;
}

/** Thrown by readers of hashes. The message says what is wrong and what to do; it never contains a part of the hash. */
export class HashUnreadable extends Error {
  override name = 'HashUnreadable';
}

/** Parses a cost parameter. Throws {@link HashUnreadable} unless a login can compute it at a bearable cost. */
export function bounded(text: string | undefined, least: number, most: number, what: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < least || number > most)
    throw new HashUnreadable(
      `has a hash whose ${what} is not from ${least} to ${most}, so no login could check it: leave the user out, and give it a new password`,
    );
  return number;
}

/** Allowed bytes of a digest: shorter digests would match other passwords too. */
const DIGEST = { least: 16, most: 512 };

/** The digest in base64, and the bytes that the last step has to produce. */
export function digestOf(raw: Buffer): { readonly length: number; readonly digest: string } {
  const { length } = raw;
  if (length < DIGEST.least || length > DIGEST.most)
    throw new HashUnreadable(
      `has a hash whose digest is not of ${DIGEST.least} to ${DIGEST.most} bytes: export it whole, or leave the user out, and give it a new password`,
    );
  return { length, digest: raw.toString('base64') };
}

/** Whether the digest of these steps is long enough that only one password matches it. */
export function isLongEnough(steps: readonly Step[]): boolean {
  const last = steps.at(-1);
  return last !== undefined && (!('length' in last) || last.length >= DIGEST.least);
}

/** Decodes base64 as PHC strings, passlib and Python write it: padded or not, with `+` or `.`. */
export function fromBase64(text: string): Buffer {
  return Buffer.from(text.replaceAll('.', '+'), 'base64');
}
