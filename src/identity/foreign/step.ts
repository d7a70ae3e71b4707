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

/** One computation on the way from a typed password to another system's hash. Salts are base64 where they are bytes. */
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

const bytes = (base64: string) => Buffer.from(base64, 'base64');

/** Bytes of what bcrypt's string begins with: version, cost and salt. */
const BCRYPT_HEAD = 29;

/** What the step makes of a text. Whatever takes long does so on another thread; packages are loaded when first needed. */
export async function taken(step: Step, text: string): Promise<string> {
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

/** What all the steps make of a password, one after another. */
export async function throughSteps(steps: readonly Step[], password: string): Promise<string> {
  let text = password;
  for (const step of steps) text = await taken(step, text);
  return text;
}
