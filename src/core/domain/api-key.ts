import type { KeyRole } from './role.ts';

/** The prefix of every API key. It distinguishes a key from a ticket. */
export const API_KEY_BEGINS = 'tsk_';

/** A key by which a machine administers the service (specification, section 16). */
export interface ApiKey {
  /** Compared by code units. */
  readonly name: string;
  /** The SHA-256 of the key, 32 bytes. The key itself is not stored. */
  readonly digest: Buffer;
  readonly role: KeyRole;
  /** Epoch milliseconds. */
  readonly addedAt: number;
  /** From when on it is refused, in epoch milliseconds; undefined if it never ends. */
  readonly expiresAt: number | undefined;
  /** The last use, in epoch milliseconds; undefined if it was never used. */
  readonly usedAt: number | undefined;
}

/** Random bytes in an API key: 256 bits. */
export const API_KEY_BYTES = 32;

/** Makes an API key of {@link API_KEY_BYTES} random bytes: {@link API_KEY_BEGINS} and 43 characters of base64url. */
export function makeApiKey(random: Buffer): string {
  return API_KEY_BEGINS + random.toString('base64url');
}

const NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** Why an API key cannot have this name, and what to do; undefined if it can. */
export function faultOfApiKeyName(name: string): string | undefined {
  return NAME.test(name)
    ? undefined
    : 'the name of an API key has 1 to 64 characters: letters A to Z, digits, dots, hyphens and underscores';
}

/** Whether the key is a credential at `now`, in epoch milliseconds. */
export function isUsable({ expiresAt }: ApiKey, now: number): boolean {
  return expiresAt === undefined || now < expiresAt;
}

/** A use is stored if it is at least this many milliseconds later than the stored one. */
const USE_STEP = 60_000;

/** Whether a use of the key at `now` has to be stored. */
export function keyUseIsDue({ usedAt }: ApiKey, now: number): boolean {
  return usedAt === undefined || now - usedAt >= USE_STEP;
}
