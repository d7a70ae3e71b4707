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
  sweep: async () => (await import('./sweep.ts')).appPasswordsSweep,
};
