import type { Settings } from '../core/settings/table.ts';
import type { OpenedStore, Use } from '../core/storage/opened-store.ts';
import { openStoreWith } from '../engines/store.ts';
import { TABLES } from './tables.ts';

/** Opens the store that is set, with the tables of all capabilities: see {@link openStoreWith}. */
export const openStore = (settings: Settings, use: Use): Promise<OpenedStore> =>
  openStoreWith(TABLES, settings, use);
