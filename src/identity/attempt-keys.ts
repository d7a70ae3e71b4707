import { createHmac, hash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { AttemptKey } from '../storage/store.ts';

/** The keys of the three counters that a try stands under. */
export interface AttemptKeys {
  readonly name: AttemptKey;
  readonly pair: AttemptKey;
  readonly address: AttemptKey;
}

/** Makes the keys of a try. */
export type KeysOf = (userKey: string, address: string) => AttemptKeys;

/** Makes counter keys: HMACs, since a name that is no user's may be a password typed into the wrong field. */
export function attemptKeys(secret: Buffer): KeysOf {
  const hmac = (...parts: string[]) => createHmac('sha256', secret).update(parts.join('\0')).digest('hex');
  return (userKey, address) => ({
    name: hmac('name', userKey),
    pair: hmac('pair', userKey, address),
    address: hmac('address', address),
  });
}

/** Keys that are kept, of those that came last. */
const MOST = 10_000;

/** The same keys, for tries that come with each request: those of the last ones are kept, and cost no HMACs. */
export function keptKeys(keysOf: KeysOf): KeysOf {
  const kept = new LRUCache<string, AttemptKeys>({ max: MOST });
  const ofProcess = randomBytes(32).toString('base64');
  return (userKey, address) => {
    // Names are not held in the clear here either, and one digest takes a tenth of three HMACs.
    const pair = hash('sha256', `${ofProcess}${userKey}\0${address}`, 'base64');
    const keys = kept.get(pair) ?? keysOf(userKey, address);
    kept.set(pair, keys);
    return keys;
  };
}

/** A number from 0 to below 1 that a key always gives, and nobody without the secret can foresee. */
export function shareOf(key: AttemptKey): number {
  return Number.parseInt(key.slice(0, 12), 16) / 2 ** 48;
}
