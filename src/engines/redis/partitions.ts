import { bytesOf, type Digest } from '../../core/domain/ticket.ts';
import type { CounterKey } from '../../core/storage/store.ts';

/** The slots of a cluster. */
export const SLOTS = 16_384;
/** How many partitions there are, as many as a byte has values. Keys that belong together share a partition, and so a slot. */
const PARTITIONS = 256;

/** One of the partitions of all keys. They lie evenly over the slots of a cluster. */
export interface Partition {
  readonly number: number;
  readonly slot: number;
  /** What its keys begin with. The part in braces, the hash tag, decides over the slot. */
  readonly prefix: string;
}

/** CRC-16/XMODEM, from which Redis Cluster computes the slot of a hash tag. */
function crc16(text: string): number {
  let crc = 0;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}

/** The tag of each partition is the first number whose slot lies in the partition's share of the slots. */
function makePartitions(): Partition[] {
  const all: Partition[] = [];
  for (let tag = 0, found = 0; found < PARTITIONS; tag += 1) {
    const slot = crc16(String(tag)) % SLOTS;
    const number = Math.floor(slot / (SLOTS / PARTITIONS));
    if (all[number] !== undefined) continue;
    all[number] = { number, slot, prefix: `tessera:{${tag}}` };
    found += 1;
  }
  return all;
}

/** All partitions, by their numbers. */
export const partitions: readonly Partition[] = makePartitions();

const partitionAt = (number: number) => partitions[number] as Partition;

/** The partition of the database's id. */
export const partitionOfDatabase: Partition = partitionAt(0);

/** The partition of a ticket: the first byte of its digest. */
export const partitionOfDigest = (digest: Digest): Partition =>
  partitionAt(Number.parseInt(digest.slice(0, 2), 16));

/** The partition of a cached user, and of the index of its tickets. */
export const partitionOfUser = (id: number): Partition => partitionAt(id % PARTITIONS);

/** The partition of a counter: the first byte of its key. */
export const partitionOfCounter = (key: CounterKey): Partition =>
  partitionAt(Number.parseInt(key.slice(0, 2), 16));

const keyWithBytes = ({ prefix }: Partition, kind: string, bytes: Buffer) =>
  Buffer.concat([Buffer.from(prefix + kind), bytes]);

/** The keys. None holds a name, and of tickets there are digests only. */
export const keys = {
  /** The id of the database whose tickets are kept here. */
  database: `${partitionOfDatabase.prefix}d`,
  ticket: (digest: Digest) => keyWithBytes(partitionOfDigest(digest), 't', bytesOf(digest)),
  ticketOrigin: (digest: Digest) => Buffer.concat([keys.ticket(digest), Buffer.from('o')]),
  /** The generation that a ticket is about to move to, while the unit that moves it commits. */
  nextGeneration: (digest: Digest) => Buffer.concat([keys.ticket(digest), Buffer.from('n')]),
  /** The tickets of all users of a partition: a sorted set of digests, whose scores are the ids of their users. */
  tickets: ({ prefix }: Partition) => `${prefix}i`,
  user: (id: number) => `${partitionOfUser(id).prefix}u${id}`,
  generation: ({ prefix }: Partition) => `${prefix}g`,
  /** When this partition was last known to be up to date, in epoch milliseconds. One partition of each master has it. */
  beat: ({ prefix }: Partition) => `${prefix}b`,
  /** The stamp of the cached groups of a partition's users. */
  groupsStamp: ({ prefix }: Partition) => `${prefix}m`,
  groupsOf: (userId: number) => `${partitionOfUser(userId).prefix}m${userId}`,
  counter: (key: CounterKey) => keyWithBytes(partitionOfCounter(key), 'a', Buffer.from(key, 'hex')),
  /** The counters of a partition, sorted by when they expire. */
  counters: ({ prefix }: Partition) => `${prefix}o`,
  /** The counters of a name, sorted by when they expire. */
  ofName: (name: CounterKey) => keyWithBytes(partitionOfCounter(name), 'f', Buffer.from(name, 'hex')),
};
