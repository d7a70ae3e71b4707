import { bounded, digestOf, type ForeignHash, fromBase64, HashUnreadable } from './foreign-hash.ts';

/** PHC writes `i=29000,l=32` where passlib writes `29000`; passlib leaves `-sha1` out. */
const PHC =
  /^\$pbkdf2(?:-(sha1|sha256|sha512))?\$(?:i=)?(\d+)(?:,l=(\d+))?\$([A-Za-z0-9+/.]+)\$([A-Za-z0-9+/.]+)$/;
const DJANGO = /^pbkdf2_(sha1|sha256)\$(\d+)\$([^$]+)\$([A-Za-z0-9+/=]+)$/;
const WERKZEUG = /^pbkdf2:(sha1|sha256|sha512):(\d+)\$([^$]+)\$((?:[0-9a-f]{2})+)$/;

/** Bytes that the iterations are gone through for once. */
const BLOCK = { sha1: 20, sha256: 32, sha512: 64 };
const MOST_ITERATIONS = 10_000_000;

function hashOf(over: string, iterations: string | undefined, salt: Buffer, raw: Buffer): ForeignHash {
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

/** Reads PBKDF2 as a PHC string, as passlib writes it, as Django does, and as Werkzeug does. */
export function readPbkdf2(text: string): ForeignHash {
  const phc = PHC.exec(text);
  if (phc) {
    const [, digest = 'sha1', iterations, length, salt = '', encoded = ''] = phc;
    const raw = fromBase64(encoded);
    checkLength(length, raw);
    return hashOf(digest, iterations, fromBase64(salt), raw);
  }
  const django = DJANGO.exec(text);
  if (django) {
    const [, digest = '', iterations, salt = '', raw = ''] = django;
    return hashOf(digest, iterations, Buffer.from(salt), fromBase64(raw));
  }
  const [, digest, iterations, salt = '', raw = ''] = WERKZEUG.exec(text) ?? [];
  if (digest === undefined)
    throw new HashUnreadable(
      'has a PBKDF2 hash of another form than $pbkdf2-sha256$…, or that of Django or Werkzeug, over SHA-1, SHA-256 or SHA-512: export it as a PHC string',
    );
  return hashOf(digest, iterations, Buffer.from(salt), Buffer.from(raw, 'hex'));
}
