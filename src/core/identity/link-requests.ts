import { createHmac } from 'node:crypto';
import { blockOf, HOST } from '../domain/address-block.ts';
import { afterFailure, remainingWait, type WaitingRule } from '../domain/lockout.ts';
import { eachCounter, type Store } from '../storage/store.ts';
import type { Attempt } from './throttle-state.ts';

const HOUR = 3_600_000;

/** So many requests in an hour, and then none for an hour. */
const hourly = (most: number): WaitingRule => ({
  threshold: most,
  wait: () => HOUR,
  isForgotten: ({ since, waitUntil }, now) => now - since >= HOUR && waitUntil <= now,
});

const OF_NAME = hourly(3);
const OF_ADDRESS = hourly(30);

interface LinkRequestParts {
  readonly store: Store;
  /** The secret of the counter keys. */
  readonly throttleKey: Buffer;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/** Counts a request for a link to choose a password: see `takeLinkRequest` of the password check. */
export function takeLinkRequest(
  { key, address }: Pick<Attempt, 'key' | 'address'>,
  { store, throttleKey, clock }: LinkRequestParts,
): Promise<boolean> {
  const counterKey = (...parts: string[]) =>
    createHmac('sha256', throttleKey)
      .update(['links', ...parts].join('\0'))
      .digest('hex');
  const host = blockOf(address, HOST);
  const [ofName, ofAddress] = [counterKey('name', key), counterKey('address', host)];
  const keys = { ...eachCounter(() => ofAddress), name: ofName, pair: counterKey('pair', key, host) };
  return store.write(async ({ attempts }) => {
    const now = clock();
    const { counters } = await attempts.throttleState({ userKey: undefined, address: '', keys });
    const isFull =
      remainingWait(counters.name, now, OF_NAME) + remainingWait(counters.address, now, OF_ADDRESS) > 0;
    if (isFull) return false;
    await attempts.put(ofName, undefined, afterFailure(counters.name, now, OF_NAME));
    await attempts.put(ofAddress, undefined, afterFailure(counters.address, now, OF_ADDRESS));
    return true;
  });
}
