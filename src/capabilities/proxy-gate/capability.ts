import type { Capability } from '../capability.ts';
import { gateSettings } from './settings.ts';

export const proxyGate: Capability = {
  id: 'proxy-gate',
  settings: gateSettings,
  operations: async () => (await import('./operations.ts')).OPERATIONS,
  commands: {
    gate: async () => (await import('./commands.ts')).gateCommand,
  },
};
