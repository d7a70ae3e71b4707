import type { Capability } from '../capability.ts';
import { secondFactorSettings } from './settings.ts';
import { appPasswordsTable } from './tables/app-passwords.ts';
import { passkeysTable } from './tables/passkeys.ts';
import { recoveryCodesTable, totpSecretsTable } from './tables/second-factors.ts';

export const factors: Capability = {
  id: 'factors',
  settings: secondFactorSettings,
  tables: [appPasswordsTable, passkeysTable, recoveryCodesTable, totpSecretsTable],
  operations: async () => (await import('./operations.ts')).OPERATIONS,
  pages: async () => (await import('./pages.ts')).PAGES,
  accountSections: async () => (await import('./pages/account/sections.ts')).accountSections,
  otherCredentials: async () => (await import('./pages/account/other-credentials.ts')).otherCredentials,
  userSections: async () => (await import('./pages/console/sections.ts')).userSections,
  takeOver: async () => (await import('./rules/app-passwords.ts')).removeAppPasswords,
  sweep: async () => (await import('./sweep.ts')).appPasswordsSweep,
  operationTools: () => ({
    countAppPasswords: async ({ appPasswords }, { id }) => (await appPasswords.ofUser(id)).length,
  }),
  open: async (parts) => (await import('./assembly.ts')).openFactors(parts),
};
