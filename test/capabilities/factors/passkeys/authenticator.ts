import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** CBOR (RFC 8949) of what authenticators send: small maps of integers, texts and bytes. */
type Cbor = number | string | Buffer | ReadonlyMap<number | string, Cbor>;

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const pairs = [...value].flatMap(([key, item]) => [cbor(key), cbor(item)]);
  return Buffer.concat([head(5, value.size), ...pairs]);
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();
const base64url = (data: Buffer | string) => Buffer.from(data).toString('base64url');

/** What a test changes of an answer. */
export interface AnswerParts {
  readonly challenge: string;
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly signCount?: number;
  /** Whether the authenticator verified its user: yes unless given. */
  readonly userVerified?: boolean;
  readonly userPresent?: boolean;
  readonly crossOrigin?: boolean;
  readonly userHandle?: Buffer | undefined;
  readonly id?: Buffer;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;

/** An authenticator in software with one passkey, of the kind ES256 (WebAuthn sections 6 and 8). */
export class Authenticator {
  readonly credentialId: Buffer = randomBytes(32);
  readonly #privateKey: KeyObject;
  readonly #publicKey: Buffer;
  readonly #origin: string;
  readonly #rpId: string;

  constructor(origin: string, rpId = new URL(origin).hostname) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#privateKey = privateKey;
    this.#publicKey = cbor(
      new Map<number, Cbor>([
        ...([
          [1, 2],
          [3, -7],
          [-1, 1],
        ] as const),
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
    this.#origin = origin;
    this.#rpId = rpId;
  }

  #clientData({ challenge, origin = this.#origin, type, crossOrigin = false }: AnswerParts): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));
  }

  #data(
    { rpId = this.#rpId, signCount = 0, userVerified = true, userPresent = true }: AnswerParts,
    more = 0,
  ): Buffer {
    const flags = (userPresent ? USER_PRESENT : 0) | (userVerified ? USER_VERIFIED : 0) | more;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(signCount);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count]);
  }

  /** The answer to a registration, as the script of a page sends it. */
  registered(parts: AnswerParts): string {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.credentialId.length);
    const key = Buffer.concat([Buffer.alloc(16), length, this.credentialId, this.#publicKey]);
    const authData = Buffer.concat([this.#data(parts, HAS_KEY), key]);
    const attestation = new Map<string, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return JSON.stringify({
      id: base64url(this.credentialId),
      response: {
        clientDataJSON: base64url(this.#clientData({ type: 'webauthn.create', ...parts })),
        attestationObject: base64url(cbor(attestation)),
        transports: ['internal'],
      },
    });
  }

  /** The answer to a sign-in, as the script of a page sends it. */
  signed(parts: AnswerParts): string {
    const { id = this.credentialId, userHandle } = parts;
    const clientData = this.#clientData({ type: 'webauthn.get', ...parts });
    const data = this.#data(parts);
    const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), this.#privateKey);
    return JSON.stringify({
      id: base64url(id),
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        ...(userHandle && { userHandle: base64url(userHandle) }),
      },
    });
  }
}
