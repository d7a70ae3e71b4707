import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { makeClientSecret, type RegisteredClient, SECRET_BYTES } from '../domain/client.ts';

/** What the secret of no client is compared with, so that an unknown name takes the same way. */
const NOBODYS = Buffer.alloc(32);

/** The digest under which a client's secret is kept: its 256 random bits cannot be guessed, so no slow hash is needed. */
export function digestOfSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** A new secret of the system's randomness, to be shown once, with what is kept of it. */
export function newClientSecret(): { readonly secret: string; readonly digest: Buffer } {
  const secret = makeClientSecret(randomBytes(SECRET_BYTES));
  return { secret, digest: digestOfSecret(secret) };
}

/** Whether `secret` is this client's, compared in constant time; it is nobody's where there is no client. */
export function isSecretOf(client: RegisteredClient | undefined, secret: string): boolean {
  const same = timingSafeEqual(digestOfSecret(secret), client?.secretDigest ?? NOBODYS);
  return same && client !== undefined;
}
