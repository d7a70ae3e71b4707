import type { Role } from './role.ts';

/** A key by which a machine administers the service (`people.md` section 16). */
export interface ApiKey {
  /** Compared by code units. */
  readonly name: string;
  /** The SHA-256 of the key, 32 bytes. The key itself is not stored. */
  readonly digest: Buffer;
  readonly role: Role;
  /** Epoch milliseconds. */
  readonly addedAt: number;
  /** From when on it is refused, in epoch milliseconds; undefined if it never ends. */
  readonly expiresAt: number | undefined;
  /** The last use, in epoch milliseconds; undefined if it was never used. */
  readonly usedAt: number | undefined;
}
