import type { Capability } from '../capability.ts';
import { issuerSettings } from './settings.ts';
import { applicationsTable } from './tables/applications.ts';
import { entriesSweep, providerEntriesTable } from './tables/entries.ts';
import { signingKeysTable } from './tables/signing-keys.ts';

export const oidcProvider: Capability = {
  id: 'oidc-provider',
  settings: issuerSettings,
  tables: [applicationsTable, providerEntriesTable, signingKeysTable],
  operations: async () => (await import('./operations.ts')).OPERATIONS,
  commands: {
    applications: async () => (await import('./commands.ts')).applicationsCommand,
    'signing-keys': async () => (await import('./commands.ts')).signingKeysCommand,
  },
  pages: async () => (await import('./pages.ts')).PAGES,
  accountSections: async () => (await import('./pages/account.ts')).accountSections,
  otherCredentials: async () => (await import('./pages/account.ts')).otherCredentials,
  sweep: async () => entriesSweep,
  checks: async () => [(await import('./check.ts')).applicationsCheck],
  open: async (parts) => (await import('./assembly.ts')).openOidcProvider(parts),
};
