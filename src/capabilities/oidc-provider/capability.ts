import type { Capability } from '../capability.ts';
import { applicationsTable } from './tables/applications.ts';
import { providerEntriesTable } from './tables/entries.ts';
import { signingKeysTable } from './tables/signing-keys.ts';

export const oidcProvider: Capability = {
  id: 'oidc-provider',
  tables: [applicationsTable, providerEntriesTable, signingKeysTable],
};
