import { createHmac, hash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { AttemptKey } from '../storage/store.ts';

/** The keys of the three counters that a try stands under. */
export interface AttemptKeys {
  readonly name: AttemptKey;
  readonly pair: AttemptKey;
  readonly address: AttemptKey;
}

/** Keys that are kept, of those who came last: a pair that comes with each request costs no HMACs each time. */
const MOST = 10_000;

/** Makes counter keys: HMACs, since a name that is no user's may be a password typed into the wrong field. */
export function attemptKeys(secret: Buffer): (userKey: string, address: string) => AttemptKeys {
  const hmac = (...parts: string[]) => createHmac('sha256', secret).update(parts.join('\0')).digest('hex');
  const kept = new LRUCache<string, AttemptKeys>({ max: MOST });
  const ofProcess = randomBytes(32).toString('base64');
  return (userKey, address) => {
    // Names are not held in the clear here either, and one digest takes a tenth of three HMACs.
    const pair = hash('sha256', `${ofProcess}${userKey}\0${address}`, 'base64');
    let keys = kept.get(pair);
    if (keys === undefined) {
      keys = {
        name: hmac('name', userKey),
        pair: hmac('pair', userKey, address),
        address: hmac('address', address),
      };
      kept.set(pair, keys);
    }
    return keys;
  };
}

/** A number from 0 to below 1 that a key always gives, and nobody without the secret can foresee. */
export function shareOf(key: AttemptKey): number {
  return Number.parseInt(key.slice(0, 12), 16) / 2 ** 48;
}
