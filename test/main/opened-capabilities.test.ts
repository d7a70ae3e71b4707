import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenedCapability, OpeningParts } from '../../src/capabilities/capability.ts';
import { OpenedCapabilities } from '../../src/main/opened-capabilities.ts';

const PARTS = {} as OpeningParts;

/** Opens these one after another. */
async function opened(...each: readonly OpenedCapability[]): Promise<OpenedCapabilities> {
  const all = new OpenedCapabilities();
  const capabilities = each.map((one, at) => ({ id: String(at), open: async () => one }));
  await all.open(capabilities, PARTS);
  return all;
}

test('capabilities stop in the opposite order, and one that fails keeps no other one open', async () => {
  const stopped: string[] = [];
  const stop = (name: string) => ({ stop: () => void stopped.push(name) });
  const fault = new Error('the inside');
  const all = await opened(stop('first'), { stop: () => Promise.reject(fault) }, stop('last'));
  await assert.rejects(all.stop(), fault);
  assert.deepEqual(stopped, ['last', 'first']);
  await all.stop();
  assert.deepEqual(stopped, ['last', 'first']);
});

test('each capability sees what those before it give', async () => {
  const all = new OpenedCapabilities();
  const seen: unknown[] = [];
  const factorsOfPrograms = { asksSecondFactor: true };
  await all.open(
    [
      { id: 'factors', open: async () => ({ factorsOfPrograms }) },
      {
        id: 'provider',
        open: async () => ({ providerState: (id) => (id === 'company' ? 'on' : undefined) }),
      },
      {
        id: 'last',
        async open(_, before) {
          seen.push(before.factorsOfPrograms, before.providerState('company'), before.providerState('other'));
          return undefined;
        },
      },
    ],
    PARTS,
  );
  assert.deepEqual(seen, [factorsOfPrograms, 'on', 'off']);
});
