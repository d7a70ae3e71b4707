import type { Change } from '../domain/outcome.ts';
import type { User } from '../domain/user.ts';
import type { WriteUnit } from './store.ts';

/**
 * Removes what a local user has that a person at a provider, who takes the user over, shall not find: others may have it. It is
 * called in the unit of that change, before the user belongs to the provider.
 */
export type TakeOver = (unit: WriteUnit, user: User) => Promise<Change>;
