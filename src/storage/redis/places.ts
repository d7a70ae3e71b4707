import { bytesOf, type Digest } from '../../domain/ticket.ts';
import type { CounterKey } from '../store.ts';

/** The slots of a cluster. */
export const SLOTS = 16_384;
/** As many as a byte has values: whatever belongs together shares a place, and with it a slot. */
const PLACES = 256;

/** One of the places that everything is spread over, evenly over the slots of a cluster. */
export interface Place {
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

/** For each place the first number whose slot lies in its share of the slots. */
function makePlaces(): Place[] {
  const places: Place[] = [];
  for (let tag = 0, found = 0; found < PLACES; tag += 1) {
    const slot = crc16(String(tag)) % SLOTS;
    const number = Math.floor(slot / (SLOTS / PLACES));
    if (places[number] !== undefined) continue;
    places[number] = { number, slot, prefix: `tessera:{${tag}}` };
    found += 1;
  }
  return places;
}

/** All places, by their numbers. */
export const places: readonly Place[] = makePlaces();

const placeAt = (number: number) => places[number] as Place;

/** Where it is kept whose tickets these are. */
export const placeOfDatabase: Place = placeAt(0);

/** Where a ticket is kept: by the first byte of its digest. */
export const placeOfDigest = (digest: Digest): Place => placeAt(Number.parseInt(digest.slice(0, 2), 16));

/** Where what is known of a user is kept. */
export const placeOfUser = (id: number): Place => placeAt(id % PLACES);

/** Where a counter is kept. */
export const placeOfCounter = (key: CounterKey): Place => placeAt(Number.parseInt(key.slice(0, 2), 16));

const keyWithBytes = ({ prefix }: Place, kind: string, bytes: Buffer) =>
  Buffer.concat([Buffer.from(prefix + kind), bytes]);

/** The keys. None holds a name, and of tickets there are digests only. */
export const keys = {
  /** Whose tickets are kept here: see `claim.ts`. */
  database: `${placeOfDatabase.prefix}d`,
  ticket: (digest: Digest) => keyWithBytes(placeOfDigest(digest), 't', bytesOf(digest)),
  /** All tickets of the users of a place: a sorted set of digests whose scores are the ids of their users. */
  tickets: ({ prefix }: Place) => `${prefix}i`,
  user: (id: number) => `${placeOfUser(id).prefix}u${id}`,
  generation: ({ prefix }: Place) => `${prefix}g`,
  counter: (key: CounterKey) => keyWithBytes(placeOfCounter(key), 'a', Buffer.from(key, 'hex')),
  /** The counters of a place, by when they are forgotten. */
  counters: ({ prefix }: Place) => `${prefix}o`,
  /** The counters of a name, by when they are forgotten. */
  ofName: (name: CounterKey) => keyWithBytes(placeOfCounter(name), 'f', Buffer.from(name, 'hex')),
};
