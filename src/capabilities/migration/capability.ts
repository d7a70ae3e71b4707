import type { Capability } from '../capability.ts';
import { shadowSettings } from './settings.ts';

export const migration: Capability = {
  id: 'migration',
  settings: shadowSettings,
  commands: {
    copy: async () => (await import('./commands/copy.ts')).copyCommand,
  },
  open: async (parts) => (await import('./assembly.ts')).openShadow(parts),
};
