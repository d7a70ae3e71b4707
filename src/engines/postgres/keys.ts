/** The keys of our advisory locks: "Tssr" and a number, since all programs on one database share these keys. */
const OURS = 0x54737372n << 32n;

/** Locked to change the schema. */
export const SCHEMA_KEY = OURS + 1n;
/** Locked to add or remove users, or to rely on which users there are or were. */
export const USERS_KEY = OURS + 2n;
/** Locked to read or write nodes in a write unit: only several nodes together show whether one lies in itself. */
export const NODES_KEY = OURS + 3n;
/** Locked to change groups, or to rely on which group is in which. */
export const GROUPS_KEY = OURS + 5n;
/** Locked to copy another store into the database. */
export const COPY_KEY = OURS + 4n;

/** The key of a counter's lock. It can be locked before the counter has a row. */
export function counterKey(key: Buffer): bigint {
  return key.readBigInt64BE(0);
}
