import type { Capability } from '../capability.ts';
import { mailSettings } from './settings.ts';
import { linksSweep, passwordLinksTable } from './tables/password-links.ts';
import { mailToolsIn } from './tools.ts';

export const mail: Capability = {
  id: 'mail',
  settings: mailSettings,
  tables: [passwordLinksTable],
  operations: async () => (await import('./operations.ts')).OPERATIONS,
  pages: async () => (await import('./pages.ts')).PAGES,
  userSections: async () => (await import('./pages/console/invite.ts')).userSections,
  commands: {
    mail: async () => (await import('./commands.ts')).mailCommand,
  },
  checks: async () => [(await import('./check.ts')).mailCheck],
  operationTools: (settings) => ({ mailTools: mailToolsIn(settings) }),
  sweep: async () => linksSweep,
  open: async (parts, before) => (await import('./assembly.ts')).openMail(parts, before),
};
