import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { makeApiKey } from '../domain/api-key.ts';
import { makeAppPassword } from '../domain/app-password.ts';
import { makeClientSecret, type RegisteredClient, SECRET_BYTES } from '../domain/client.ts';

/** The digest for an unknown client, so that it takes the same time as a known one. */
const NO_DIGEST = Buffer.alloc(32);

/** The stored digest of a client's secret. Its 256 random bits cannot be guessed, so no slow hash is needed. */
export function digestOfSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** A new random secret, to be shown once, and the digest to store. */
export function newClientSecret(): { readonly secret: string; readonly digest: Buffer } {
  const secret = makeClientSecret(randomBytes(SECRET_BYTES));
  return { secret, digest: digestOfSecret(secret) };
}

/** The API key of these random bytes, to be shown once, and the digest to store. */
export function newApiKey(random: Buffer): { readonly key: string; readonly digest: Buffer } {
  const key = makeApiKey(random);
  return { key, digest: digestOfSecret(key) };
}

/** The app password of these random bytes, to be shown once, and the digest to store. */
export function newAppPassword(random: Buffer): { readonly password: string; readonly digest: Buffer } {
  const password = makeAppPassword(random);
  return { password, digest: digestOfSecret(password) };
}

/** Whether `secret` belongs to this client, compared in constant time; false if there is no client, or it has no secret. */
export function isSecretOf(client: RegisteredClient | undefined, secret: string): boolean {
  const same = timingSafeEqual(digestOfSecret(secret), client?.secretDigest ?? NO_DIGEST);
  return same && client?.secretDigest !== undefined;
}
