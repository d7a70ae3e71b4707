import { parseOptions } from '@node-rs/argon2';
import {
  type ForeignHash,
  type ImportedHash,
  LEAST_DIGEST,
  type Step,
  type VARIANTS,
} from '../../../core/identity/hash-steps.ts';

/** Thrown by readers of hashes. The message says what is wrong and what to do; it never contains a part of the hash. */
export class HashUnreadable extends Error {
  override name = 'HashUnreadable';
}

/** A password hash as it stands in an import file. */
export interface GivenHash {
  readonly passwordHash: string;
  /** For hashes of Alfresco: its encoders, in the order in which they were applied. Other hashes name their kind themselves. */
  readonly hashIndicator?: readonly string[] | undefined;
  /** For hashes of Alfresco: the salt of its sha256 encoder. */
  readonly salt?: string | undefined;
}

/** The readers of hashes that name their kind, by how such a hash begins. */
const KINDS: readonly (readonly [RegExp, (text: string) => ImportedHash])[] = [
  [/^\$argon2/, readArgon2],
  [/^argon2(?=\$argon2)/, (text) => readArgon2(text.slice('argon2'.length))],
  [/^\$2/, readBcrypt],
  [/^bcrypt\$/, (text) => readBcrypt(text.slice('bcrypt$'.length))],
  [/^bcrypt_sha256\$/, (text) => readDjangoSha256(text.slice('bcrypt_sha256$'.length))],
  [/^\$?scrypt[$:]/, readScrypt],
  [/^\$?pbkdf2[-$:_]/, readPbkdf2],
];

/** The stored hash, if {@link readHash} can read it. It cannot read another system's hash that is wrapped in argon2id. */
export function readableHash(passwordHash: string | undefined): string | undefined {
  if (passwordHash === undefined) return undefined;
  try {
    readHash({ passwordHash });
    return passwordHash;
  } catch (error) {
    if (error instanceof HashUnreadable) return undefined;
    throw error;
  }
}

/** Reads a hash of any known kind. Throws {@link HashUnreadable}, whose message says what to do about it. */
export function readHash({ passwordHash, hashIndicator, salt }: GivenHash): ImportedHash {
  if (hashIndicator !== undefined && hashIndicator.length > 0)
    return readAlfresco(passwordHash, hashIndicator, salt);
  const kind = KINDS.find(([shape]) => shape.test(passwordHash));
  if (kind !== undefined) return kind[1](passwordHash);
  if (/^([0-9a-f]{32}|[0-9a-f]{64})$/i.test(passwordHash))
    throw new HashUnreadable(
      'has a hash in bare hex: say how it was made, in hashIndicator, such as md4 or sha256',
    );
  throw new HashUnreadable(
    'has a hash of a kind that is not known here: argon2, bcrypt, scrypt and PBKDF2 are, and those with a hashIndicator',
  );
}

const ARGON2 =
  /^\$argon2(id|i|d)\$(?:v=(\d+)\$)?m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]{11,})\$([A-Za-z0-9+/]{6,})$/;

/** Whether the package that verifies argon2 hashes can read this one. */
function isReadable(text: string): boolean {
  try {
    parseOptions(text);
    return true;
  } catch {
    return false;
  }
}

/** Reads an argon2 PHC string. A string of argon2id, version 19, is kept unchanged. */
function readArgon2(text: string): ImportedHash {
  const [, variant, version = '16', memory, passes, lanes, salt = '', encoded = ''] = ARGON2.exec(text) ?? [];
  if (variant === undefined || !['16', '19'].includes(version) || !isReadable(text))
    throw new HashUnreadable(
      'has an argon2 hash of another form than $argon2id$v=19$m=…,t=…,p=…$SALT$HASH: export it as a PHC string, without keyid and data',
    );
  const cost = {
    memory: bounded(memory, 8, 1_048_576, 'argon2 memory (KiB)'),
    passes: bounded(passes, 1, 100, 'number of argon2 passes'),
    lanes: bounded(lanes, 1, 64, 'number of argon2 lanes'),
  };
  const { length, digest } = digestOf(fromBase64(encoded));
  if (variant === 'id' && version === '19') return { argon2id: text };
  const kind = { variant: variant as keyof typeof VARIANTS, version: version === '19' ? 19 : 16 } as const;
  const bytes = { length, salt: fromBase64(salt).toString('base64') };
  return { steps: [{ kind: 'argon2', ...kind, ...cost, ...bytes }], digest };
}

const ALPHABET = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const STANDARD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BCRYPT = /^\$2([abxy])\$(\d\d)\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})$/;

/** The 16 bytes of a salt, in base64. The last character has unused bits, which some programs set. */
function saltIn(text: string): string {
  const standard = text.replace(/./g, (character) => STANDARD[ALPHABET.indexOf(character)] as string);
  return Buffer.from(standard, 'base64').subarray(0, 16).toString('base64');
}

/** Reads `$2a$`, `$2b$` and `$2y$`: three names of the same computation. */
function readBcrypt(text: string): ForeignHash {
  const [, version, cost, salt = '', digest = ''] = BCRYPT.exec(text) ?? [];
  if (version === undefined)
    throw new HashUnreadable('has a bcrypt hash that is not whole: it has 60 characters, such as $2a$10$…');
  if (version === 'x')
    throw new HashUnreadable(
      'has a $2x$ hash, made by a faulty bcrypt: leave the user out, and give it a new password',
    );
  return {
    steps: [{ kind: 'bcrypt', cost: bounded(cost, 4, 16, 'bcrypt cost'), salt: saltIn(salt) }],
    digest,
  };
}

/** Django hashes with SHA-256 first, because bcrypt reads only 72 bytes. */
function readDjangoSha256(text: string): ImportedHash {
  const { steps, digest } = readBcrypt(text);
  return { steps: [{ kind: 'sha256' }, ...steps], digest };
}

interface ScryptFields {
  readonly ln: number;
  readonly r: string | undefined;
  readonly p: string | undefined;
  readonly salt: Buffer;
  readonly raw: Buffer;
}

const SCRYPT = {
  phc: /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([A-Za-z0-9+/.]+)\$([A-Za-z0-9+/.]+)$/,
  django: /^scrypt\$(\d+)\$([^$]+)\$(\d+)\$(\d+)\$([A-Za-z0-9+/=]+)$/,
  werkzeug: /^scrypt:(\d+):(\d+):(\d+)\$([^$]+)\$((?:[0-9a-f]{2})+)$/,
};

/** The most memory, in bytes, that one hash may need at a login. */
const MOST_MEMORY = 1_073_741_824;

function scryptHash({ ln, r, p, salt, raw }: ScryptFields): ForeignHash {
  const blocks = bounded(r, 1, 64, 'scrypt block size');
  // RFC 7914 demands N < 2^(128 × r / 8), and OpenSSL refuses any other N.
  const mostLn = Math.min(24, 16 * blocks - 1);
  const cost = {
    ln: bounded(String(ln), 1, mostLn, 'scrypt cost (binary logarithm of N)'),
    r: blocks,
    p: bounded(p, 1, 64, 'scrypt parallelism'),
  };
  bounded(String(128 * cost.r * 2 ** cost.ln), 1, MOST_MEMORY, 'scrypt memory (128 × N × r bytes)');
  const { length, digest } = digestOf(raw);
  return { steps: [{ kind: 'scrypt', ...cost, length, salt: salt.toString('base64') }], digest };
}

/** Reads an scrypt hash: a PHC string, also passlib's, or the form of Django or Werkzeug. */
function readScrypt(text: string): ForeignHash {
  const phc = SCRYPT.phc.exec(text);
  if (phc) {
    const [, ln, r, p, salt = '', digest = ''] = phc;
    return scryptHash({ ln: Number(ln), r, p, salt: fromBase64(salt), raw: fromBase64(digest) });
  }
  const django = SCRYPT.django.exec(text);
  if (django) {
    const [, N, salt = '', r, p, digest = ''] = django;
    return scryptHash({ ln: Math.log2(Number(N)), r, p, salt: Buffer.from(salt), raw: fromBase64(digest) });
  }
  const [, N, r, p, salt = '', digest = ''] = SCRYPT.werkzeug.exec(text) ?? [];
  if (N === undefined)
    throw new HashUnreadable(
      'has a scrypt hash of another form than $scrypt$ln=…,r=…,p=…$SALT$HASH, or that of Django or Werkzeug: export it as a PHC string',
    );
  return scryptHash({
    ln: Math.log2(Number(N)),
    r,
    p,
    salt: Buffer.from(salt),
    raw: Buffer.from(digest, 'hex'),
  });
}

const PBKDF2 = {
  // A PHC string has `i=29000,l=32` where passlib writes `29000`; passlib leaves `-sha1` out.
  phc: /^\$pbkdf2(?:-(sha1|sha256|sha512))?\$(?:i=)?(\d+)(?:,l=(\d+))?\$([A-Za-z0-9+/.]+)\$([A-Za-z0-9+/.]+)$/,
  django: /^pbkdf2_(sha1|sha256)\$(\d+)\$([^$]+)\$([A-Za-z0-9+/=]+)$/,
  werkzeug: /^pbkdf2:(sha1|sha256|sha512):(\d+)\$([^$]+)\$((?:[0-9a-f]{2})+)$/,
};

/** Bytes of one output block: all iterations run once for each block. */
const BLOCK = { sha1: 20, sha256: 32, sha512: 64 };
const MOST_ITERATIONS = 10_000_000;

function pbkdf2Hash(over: string, iterations: string | undefined, salt: Buffer, raw: Buffer): ForeignHash {
  const { length, digest } = digestOf(raw);
  const blocks = Math.ceil(length / BLOCK[over as keyof typeof BLOCK]);
  const most = Math.floor(MOST_ITERATIONS / blocks);
  const cost = { iterations: bounded(iterations, 1, most, 'number of PBKDF2 iterations') };
  return {
    steps: [{ kind: 'pbkdf2', digest: over, ...cost, length, salt: salt.toString('base64') }],
    digest,
  };
}

function checkLength(told: string | undefined, raw: Buffer): void {
  if (told !== undefined && Number(told) !== raw.length)
    throw new HashUnreadable(
      'has a PBKDF2 hash whose digest is not of the length that its l= tells: export it whole',
    );
}

/** Reads a PBKDF2 hash: a PHC string, or the form of passlib, Django or Werkzeug. */
function readPbkdf2(text: string): ForeignHash {
  const phc = PBKDF2.phc.exec(text);
  if (phc) {
    const [, digest = 'sha1', iterations, length, salt = '', encoded = ''] = phc;
    const raw = fromBase64(encoded);
    checkLength(length, raw);
    return pbkdf2Hash(digest, iterations, fromBase64(salt), raw);
  }
  const django = PBKDF2.django.exec(text);
  if (django) {
    const [, digest = '', iterations, salt = '', raw = ''] = django;
    return pbkdf2Hash(digest, iterations, Buffer.from(salt), fromBase64(raw));
  }
  const [, digest, iterations, salt = '', raw = ''] = PBKDF2.werkzeug.exec(text) ?? [];
  if (digest === undefined)
    throw new HashUnreadable(
      'has a PBKDF2 hash of another form than $pbkdf2-sha256$…, or that of Django or Werkzeug, over SHA-1, SHA-256 or SHA-512: export it as a PHC string',
    );
  return pbkdf2Hash(digest, iterations, Buffer.from(salt), Buffer.from(raw, 'hex'));
}

/** The fast encoders of Alfresco, and how many hex digits each writes. */
const DIGITS: Readonly<Record<string, number>> = { md4: 32, sha256: 64 };
const isFast = (encoder: string) => Object.hasOwn(DIGITS, encoder);

function fastStep(encoder: string, salt: string | undefined): Step {
  if (encoder === 'md4') return { kind: 'md4' };
  return salt ? { kind: 'sha256', salt } : { kind: 'sha256' };
}

function checkOrder(encoders: readonly string[]): void {
  if (
    encoders.length === 0 ||
    !encoders.every((encoder) => isFast(encoder) || /^bcrypt\d{1,2}$/.test(encoder))
  )
    throw new HashUnreadable(
      'has a hashIndicator that is not known here: write md4, sha256, bcrypt10, or several such as md4,bcrypt10',
    );
  if (!encoders.slice(0, -1).every(isFast))
    throw new HashUnreadable(
      'has a hashIndicator with bcrypt before its last step: such a hash verifies nowhere, so leave the user out',
    );
}

/**
 * Reads a hash of Alfresco. `hashIndicator` lists its encoders in order: `md4` (of UTF-16, never salted), `sha256` (of the
 * text, followed by `{salt}` if there is a salt) and bcrypt. Each encoder passes its digest on in hex. bcrypt can only be
 * the last one, because its salt stands in its result.
 */
function readAlfresco(
  passwordHash: string,
  hashIndicator: readonly string[],
  salt: string | undefined,
): ForeignHash {
  checkOrder(hashIndicator);
  const last = hashIndicator.at(-1) as string;
  if (!isFast(last)) {
    const { steps, digest } = readBcrypt(passwordHash);
    return {
      steps: [...hashIndicator.slice(0, -1).map((encoder) => fastStep(encoder, salt)), ...steps],
      digest,
    };
  }
  if (!new RegExp(`^[0-9a-f]{${DIGITS[last]}}$`, 'i').test(passwordHash))
    throw new HashUnreadable(
      `has a passwordHash that is no ${last}, which is ${DIGITS[last]} hex digits: export passwordHash and hashIndicator of the same user`,
    );
  return {
    steps: hashIndicator.map((encoder) => fastStep(encoder, salt)),
    digest: passwordHash.toLowerCase(),
  };
}

/** Parses a cost parameter. Throws {@link HashUnreadable} unless a login can compute it at a bearable cost. */
function bounded(text: string | undefined, least: number, most: number, what: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < least || number > most)
    throw new HashUnreadable(
      `has a hash whose ${what} is not from ${least} to ${most}, so no login could check it: leave the user out, and give it a new password`,
    );
  return number;
}

/** The most bytes of a digest. */
const MOST_DIGEST = 512;

/** The digest in base64, and the bytes that the last step has to produce. */
function digestOf(raw: Buffer): { readonly length: number; readonly digest: string } {
  const { length } = raw;
  if (length < LEAST_DIGEST || length > MOST_DIGEST)
    throw new HashUnreadable(
      `has a hash whose digest is not of ${LEAST_DIGEST} to ${MOST_DIGEST} bytes: export it whole, or leave the user out, and give it a new password`,
    );
  return { length, digest: raw.toString('base64') };
}

/** Decodes base64 as PHC strings, passlib and Python write it: padded or not, with `+` or `.`. */
function fromBase64(text: string): Buffer {
  return Buffer.from(text.replaceAll('.', '+'), 'base64');
}
