import type { Adapter, AdapterPayload } from 'oidc-provider';

/** Keeps what one provider writes, in memory. Each provider has its own, so that none knows what another one issued. */
export function providerMemory(): (model: string) => Adapter {
  const kept = new Map<string, AdapterPayload>();
  const forget = (isGone: (key: string, payload: AdapterPayload) => boolean) => {
    for (const [key, payload] of kept) if (isGone(key, payload)) kept.delete(key);
  };
  return (model) => ({
    upsert: async (id, payload) => void kept.set(`${model} ${id}`, payload),
    find: async (id) => kept.get(`${model} ${id}`),
    findByUid: async (uid) => [...kept.values()].find((payload) => payload.uid === uid),
    findByUserCode: async () => undefined,
    consume: async (id) => {
      const key = `${model} ${id}`;
      kept.set(key, { ...kept.get(key), consumed: Math.floor(Date.now() / 1_000) });
    },
    destroy: async (id) => void kept.delete(`${model} ${id}`),
    revokeByGrantId: async (grantId) =>
      forget((key, payload) => key.startsWith(`${model} `) && payload.grantId === grantId),
  });
}
