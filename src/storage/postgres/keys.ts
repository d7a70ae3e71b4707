/** Keys that a unit holds alone, in the space that all programs on one database share: "Tssr", and a number. */
const OURS = 0x54737372n << 32n;

/** Held to change the schema. */
export const SCHEMA_KEY = OURS + 1n;
/** Held by who adds or removes users, and by who has to rely on which users there are or were. */
export const USERS_KEY = OURS + 2n;
/** Held by units that touch nodes: whether one lies in itself is seen by looking at several. */
export const NODES_KEY = OURS + 3n;
/** Held by who copies another store into the database. */
export const COPY_KEY = OURS + 4n;

/** The key of a counter, which is there before its row is. */
export function counterKey(key: Buffer): bigint {
  return key.readBigInt64BE(0);
}
