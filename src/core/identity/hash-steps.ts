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
      const output = await hash(Buffer.from(text), step.cost, bytes(step.salt));
      return output.slice(BCRYPT_HEAD);
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

/** The fewest bytes of a digest: a shorter one would match other passwords too. */
export const LEAST_DIGEST = 16;

/** Whether the digest of these steps is long enough that only one password matches it. */
export function isLongEnough(steps: readonly Step[]): boolean {
  const last = steps.at(-1);
  return last !== undefined && (!('length' in last) || last.length >= LEAST_DIGEST);
}
