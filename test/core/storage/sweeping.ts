import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Store, WriteUnit } from '../../../src/core/storage/store.ts';
import { Sweeper, type SweeperParts } from '../../../src/core/storage/sweep.ts';
import { MINUTE, NOW } from './conformance/samples.ts';

export const LIFETIME = { idle: 60 * MINUTE, age: 24 * 60 * MINUTE };
export const KEEP = 90 * 24 * 60 * MINUTE;

export function sweeperOf(store: Store, more: Partial<SweeperParts> = {}): Sweeper {
  const onFault = (fault: unknown) => assert.fail(`a fault was told: ${fault}`);
  const rules = { lifetime: LIFETIME, eventsKeep: KEEP, sweeps: [] };
  return new Sweeper({ store, ...rules, clock: () => NOW, onFault, ...more });
}

/** Keeps the process alive through the sweeper's pauses, which do not. */
export function stayAwake(t: TestContext): void {
  const awake = setInterval(() => undefined, 1_000);
  t.after(() => clearInterval(awake));
}

/** The store, with some methods of its write units replaced. */
export const spoilt = (store: Store, spoil: (unit: WriteUnit) => Partial<WriteUnit>): Store => ({
  ...store,
  write: (work) => store.write((unit) => work({ ...unit, ...spoil(unit) })),
});
