import type { Capability } from '../capability.ts';
import { directorySettings } from './settings.ts';

export const ldap: Capability = {
  id: 'ldap',
  settings: directorySettings,
  operations: async () => [(await import('./operations/admin/directory/check.post.ts')).default],
  pages: async () => (await import('./pages/console.ts')).CONSOLE_PAGES,
  commands: {
    ldap: async () => (await import('./commands/ldap.ts')).ldapCommand,
  },
  checks: async () => [(await import('./doctor-check.ts')).directoryCheck],
  open: async (parts) => (await import('./assembly.ts')).openDirectory(parts),
};
