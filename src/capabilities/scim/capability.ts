import type { Capability } from '../capability.ts';
import { scimSettings } from './settings.ts';

export const scim: Capability = {
  id: 'scim',
  settings: scimSettings,
  open: async (parts, before) => (await import('./assembly.ts')).openScim(parts, before),
};
