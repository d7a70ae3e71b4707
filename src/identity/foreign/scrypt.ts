import { bounded, digestOf, type ForeignHash, fromBase64, HashUnreadable } from './foreign-hash.ts';

interface ScryptFields {
  readonly ln: number;
  readonly r: string | undefined;
  readonly p: string | undefined;
  readonly salt: Buffer;
  readonly raw: Buffer;
}

const PHC = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([A-Za-z0-9+/.]+)\$([A-Za-z0-9+/.]+)$/;
const DJANGO = /^scrypt\$(\d+)\$([^$]+)\$(\d+)\$(\d+)\$([A-Za-z0-9+/=]+)$/;
const WERKZEUG = /^scrypt:(\d+):(\d+):(\d+)\$([^$]+)\$((?:[0-9a-f]{2})+)$/;

/** Bytes that a hash may need at a login. */
const MOST_MEMORY = 1_073_741_824;

function hashOf({ ln, r, p, salt, raw }: ScryptFields): ForeignHash {
  const blocks = bounded(r, 1, 64, 'scrypt block size');
  // RFC 7914 has N below 2^(128 × r / 8), and OpenSSL computes no other.
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

/** Reads scrypt as a PHC string (passlib's too), as Django writes it, and as Werkzeug does. */
export function readScrypt(text: string): ForeignHash {
  const phc = PHC.exec(text);
  if (phc) {
    const [, ln, r, p, salt = '', digest = ''] = phc;
    return hashOf({ ln: Number(ln), r, p, salt: fromBase64(salt), raw: fromBase64(digest) });
  }
  const django = DJANGO.exec(text);
  if (django) {
    const [, N, salt = '', r, p, digest = ''] = django;
    return hashOf({ ln: Math.log2(Number(N)), r, p, salt: Buffer.from(salt), raw: fromBase64(digest) });
  }
  const [, N, r, p, salt = '', digest = ''] = WERKZEUG.exec(text) ?? [];
  if (N === undefined)
    throw new HashUnreadable(
      'has a scrypt hash of another form than $scrypt$ln=…,r=…,p=…$SALT$HASH, or that of Django or Werkzeug: export it as a PHC string',
    );
  return hashOf({ ln: Math.log2(Number(N)), r, p, salt: Buffer.from(salt), raw: Buffer.from(digest, 'hex') });
}
