import type { Capability } from '../capability.ts';
import { directorySettings } from './settings.ts';

export const ldap: Capability = {
  id: 'ldap',
  settings: directorySettings,
  commands: {
    ldap: async () => (await import('./commands/ldap.ts')).ldapCommand,
  },
  checks: async () => [(await import('./doctor-check.ts')).directoryCheck],
  open: async (parts) => (await import('./assembly.ts')).openDirectory(parts),
};
