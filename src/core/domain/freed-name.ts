import { userKey } from './user.ts';

/** The name of a user whom provisioning renamed or removed. For a while no other person gets it. */
export interface FreedName {
  /** See {@link freedNameKey}. */
  readonly key: string;
  /** The user who had the name. */
  readonly userId: number;
  /** The `externalId` of that user; undefined without one. */
  readonly externalId: string | undefined;
  /** From when on another person may get the name, in epoch milliseconds. */
  readonly freeAt: number;
}

/** How long a freed name is kept from other persons: 90 days, in milliseconds. */
export const NAME_KEPT_FOR = 90 * 24 * 60 * 60 * 1_000;

/** The form in which freed names are compared. Case never counts, whatever the settings say about names. */
export function freedNameKey(name: string): string {
  return userKey(name);
}
