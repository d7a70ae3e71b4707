import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes } from 'node:crypto';

/** A key that seals values. */
export interface SealingKey {
  /** The first 16 hex digits of the key's SHA-256 digest: it names the key in sealed values, and tells nothing of it. */
  readonly id: string;
  readonly key: Buffer;
  /** When the key was made, in epoch milliseconds, if its file tells. */
  readonly madeAt?: number | undefined;
}

/** The key of these bytes (at least 32, random). */
export function sealingKey(key: Buffer, madeAt?: number): SealingKey {
  return { id: hash('sha256', key, 'hex').slice(0, 16), key, madeAt };
}

const VERSION = 1;
const ID_BYTES = 8;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

/** Where the parts of a sealed value begin: version, id of the key, salt, nonce, tag, encrypted value. */
const SALT_AT = 1 + ID_BYTES;
const NONCE_AT = SALT_AT + SALT_BYTES;
const TAG_AT = NONCE_AT + NONCE_BYTES;
const VALUE_AT = TAG_AT + TAG_BYTES;

/**
 * The key of one sealed value. A key of its own for each value keeps AES-GCM safe for any number of values: 96 random bits
 * alone would repeat after some billions.
 */
function valueKey({ key }: SealingKey, purpose: string, salt: Buffer): Buffer {
  return createHmac('sha256', key).update(salt).update(purpose).digest();
}

const authenticated = (head: Buffer, purpose: string) => Buffer.concat([head, Buffer.from(purpose)]);

/** The id of the key that sealed this value; undefined if it has not the form of a sealed value. */
export function keyIdOf(sealed: Buffer): string | undefined {
  if (sealed.length < VALUE_AT || sealed[0] !== VERSION) return undefined;
  return sealed.toString('hex', 1, SALT_AT);
}

/**
 * Encrypts values so that only the holder of the keys can read or make them (AES-256-GCM, NIST SP 800-38D). The first key
 * seals, every key opens. A value opens only for the purpose that it was sealed for.
 */
export class Sealer {
  readonly #keys: () => readonly SealingKey[];

  /** `keys` returns at least one key. It is called for each value, so that keys may change while the service runs. */
  constructor(keys: () => readonly SealingKey[]) {
    this.#keys = keys;
  }

  /** Encrypts a value for this purpose. */
  seal(purpose: string, value: Buffer | string): Buffer {
    const [first] = this.#keys();
    if (first === undefined) throw new Error('no key to seal with');
    const salt = randomBytes(SALT_BYTES);
    const nonce = randomBytes(NONCE_BYTES);
    const head = Buffer.concat([Buffer.from([VERSION]), Buffer.from(first.id, 'hex')]);
    const cipher = createCipheriv(CIPHER, valueKey(first, purpose, salt), nonce);
    cipher.setAAD(authenticated(head, purpose));
    const encrypted = Buffer.concat([cipher.update(value), cipher.final()]);
    return Buffer.concat([head, salt, nonce, cipher.getAuthTag(), encrypted]);
  }

  /** The value that was sealed for this purpose; undefined if it was changed or is for another purpose, or if its key is missing. */
  open(purpose: string, sealed: Buffer): Buffer | undefined {
    const id = keyIdOf(sealed);
    const key = this.#keys().find((each) => each.id === id);
    if (key === undefined) return undefined;
    const salt = sealed.subarray(SALT_AT, NONCE_AT);
    const nonce = sealed.subarray(NONCE_AT, TAG_AT);
    const decipher = createDecipheriv(CIPHER, valueKey(key, purpose, salt), nonce, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(authenticated(sealed.subarray(0, SALT_AT), purpose));
    decipher.setAuthTag(sealed.subarray(TAG_AT, VALUE_AT));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(VALUE_AT)), decipher.final()]);
    } catch {
      return undefined;
    }
  }
}

/** What a sealed text holds: values of JSON. */
type SealedObject = Readonly<Record<string, unknown>>;

/** Seals an object as a text (base64url) that opens until this time, in epoch milliseconds. For the cookies of pages. */
export function sealedText(sealer: Sealer, purpose: string, object: object, until: number): string {
  return sealer.seal(purpose, JSON.stringify({ object, until })).toString('base64url');
}

/** The object in a sealed text. Undefined if the text is for another purpose, forged, or too old at `now`. */
export function openText(
  sealer: Sealer,
  purpose: string,
  text: string,
  now: number,
): SealedObject | undefined {
  const opened = sealer.open(purpose, Buffer.from(text, 'base64url'));
  if (opened === undefined) return undefined;
  const { object, until } = JSON.parse(opened.toString()) as { object: SealedObject; until: number };
  return now < until ? object : undefined;
}
