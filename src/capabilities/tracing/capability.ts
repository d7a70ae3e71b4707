import type { Capability } from '../capability.ts';

export const tracing: Capability = {
  id: 'tracing',
  open: async (parts) => (await import('./assembly.ts')).openTraces(parts),
};
