import type { FreedName } from '../domain/freed-name.ts';

export interface FreedNamesRead {
  find(key: string): Promise<FreedName | undefined>;
}

/** The names that provisioning freed. In a write unit `find` and `put` lock the set of users until the unit ends. */
export interface FreedNames extends FreedNamesRead {
  /** Adds a name, or replaces what is stored about it. */
  put(freed: FreedName): Promise<void>;
  /** Removes up to `limit` names that are free since `before`, in epoch milliseconds. Returns how many. */
  sweep(before: number, limit: number): Promise<number>;
}
