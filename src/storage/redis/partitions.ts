import { bytesOf, type Digest } from '../../domain/ticket.ts';
import type { CounterKey } from '../store.ts';

/** The slots of a cluster. */
export const SLOTS = 16_384;
/** As many as a byte has values: keys that belong together share a partition, and with it a slot. */
const PARTITIONS = 256;

/** One of the partitions that all keys are spread over, evenly over the slots of a cluster. */
export interface Partition {
  readonly number: number;
  readonly slot: number;
  /** What its keys begin with; the part in braces decides over the slot. */
  readonly prefix: string;
}

/** CRC-16/XMODEM, by which Redis Cluster finds the slot of a hash tag. */
function crc16(text: string): number {
  let crc = 0;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}

/** For each partition the first number whose slot lies in its share of the slots. */
function makePartitions(): Partition[] {
  const partitions: Partition[] = [];
  for (let tag = 0, found = 0; found < PARTITIONS; tag += 1) {
    const slot = crc16(String(tag)) % SLOTS;
    const number = Math.floor(slot / (SLOTS / PARTITIONS));
    if (partitions[number] !== undefined) continue;
    partitions[number] = { number, slot, prefix: `tessera:{${tag}}` };
    found += 1;
  }
  return partitions;
}

/** All partitions, by their numbers. */
export const places: readonly Partition[] = makePartitions();

const placeAt = (number: number) => places[number] as Partition;

/** Where it is kept whose tickets these are. */
export const partitionOfDatabase: Partition = placeAt(0);

/** Where a ticket is kept: by the first byte of its digest. */
export const partitionOfDigest = (digest: Digest): Partition =>
  placeAt(Number.parseInt(digest.slice(0, 2), 16));

/** Where what is known of a user is kept. */
export const partitionOfUser = (id: number): Partition => placeAt(id % PARTITIONS);

/** Where a counter is kept. */
export const partitionOfCounter = (key: CounterKey): Partition =>
  placeAt(Number.parseInt(key.slice(0, 2), 16));

const keyWithBytes = ({ prefix }: Partition, kind: string, bytes: Buffer) =>
  Buffer.concat([Buffer.from(prefix + kind), bytes]);

/** The keys. None holds a name, and of tickets there are digests only. */
export const keys = {
  /** Whose tickets are kept here: see `claim.ts`. */
  database: `${partitionOfDatabase.prefix}d`,
  ticket: (digest: Digest) => keyWithBytes(partitionOfDigest(digest), 't', bytesOf(digest)),
  /** All tickets of the users of a place: a sorted set of digests whose scores are the ids of their users. */
  tickets: ({ prefix }: Partition) => `${prefix}i`,
  user: (id: number) => `${partitionOfUser(id).prefix}u${id}`,
  generation: ({ prefix }: Partition) => `${prefix}g`,
  counter: (key: CounterKey) => keyWithBytes(partitionOfCounter(key), 'a', Buffer.from(key, 'hex')),
  /** The counters of a place, by when they are forgotten. */
  counters: ({ prefix }: Partition) => `${prefix}o`,
  /** The counters of a name, by when they are forgotten. */
  ofName: (name: CounterKey) => keyWithBytes(partitionOfCounter(name), 'f', Buffer.from(name, 'hex')),
};
