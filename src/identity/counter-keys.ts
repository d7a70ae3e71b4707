import { createHmac } from 'node:crypto';
import { blockOf, SITE, SUBSCRIBER } from '../domain/address-block.ts';
import type { CounterKey, CounterKeys } from '../storage/store.ts';

/** Makes the keys of a try. */
export type KeysOf = (userKey: string, address: string) => CounterKeys;

/** Makes counter keys: HMACs, since a name that is no user's may be a password typed into the wrong field. */
export function counterKeys(secret: Buffer): KeysOf {
  const hmac = (...parts: string[]) => createHmac('sha256', secret).update(parts.join('\0')).digest('hex');
  return (userKey, address) => ({
    name: hmac('name', userKey),
    pair: hmac('pair', userKey, address),
    subscriber: hmac('subscriber', userKey, blockOf(address, SUBSCRIBER)),
    site: hmac('site', userKey, blockOf(address, SITE)),
    address: hmac('address', address),
  });
}

/** A number from 0 to below 1 that a key always gives, and nobody without the secret can foresee. */
export function shareOf(key: CounterKey): number {
  return Number.parseInt(key.slice(0, 12), 16) / 2 ** 48;
}
