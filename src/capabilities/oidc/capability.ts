import type { Capability } from '../capability.ts';
import { providerSettings } from './settings.ts';

export const oidc: Capability = {
  id: 'oidc',
  settings: providerSettings,
  operations: async () => [(await import('./operations/admin/providers/check.post.ts')).default],
  pages: async () => (await import('./pages.ts')).PAGES,
  commands: {
    providers: async () => (await import('./commands.ts')).providersCommand,
  },
  checks: async () => [(await import('./doctor-check.ts')).providersCheck],
  documents: async () => {
    const { loadProviders } = await import('./load.ts');
    return { providers: ({ providers }) => void loadProviders(providers) };
  },
  open: async (parts, before) => (await import('./assembly.ts')).openProviders(parts, before),
};
