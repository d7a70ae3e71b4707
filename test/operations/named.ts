import type { WriteUnit } from '../../src/storage/store.ts';

/**
 * Has the store as the examples of the descriptors need it, beside alice and her ticket: what they name is there, and what
 * they add is not.
 */
export async function addNamed({ apiKeys, clients }: WriteUnit): Promise<void> {
  await apiKeys.remove('deploy');
  await clients.remove('api-gateway');
  await clients.add({ name: 'portal', secretDigest: Buffer.alloc(32, 2), addedAt: 1 });
  await apiKeys.add({
    ...{ name: 'backup', digest: Buffer.alloc(32, 1), role: 'auditor', addedAt: 1 },
    ...{ expiresAt: undefined, usedAt: undefined },
  });
}
