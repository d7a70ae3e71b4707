/** The most entries of a cache: half of them in the newer generation, half in the older. */
const MOST = 32_768;
/** The most characters of all keys, likewise: a key can be as long as the URL of a request. */
const MOST_CHARACTERS = 4_000_000;

/** A hash of a key. Of two keys with the same hash the cache keeps the one that was set last. */
export function placeOf(key: string | number): number {
  if (typeof key === 'number') return key;
  let place = key.length;
  for (let at = 0; at < key.length; at += 1) place = Math.imul(place ^ key.charCodeAt(at), 0x0100_0193);
  // As many bits as a number can have that needs no room of its own.
  return place & 0x3fff_ffff;
}

interface CacheEntry<K, V> {
  readonly key: K;
  readonly value: V;
}

/**
 * A cache in two generations: a full newer one becomes the older one, and the entries of the older one that were not
 * used since then are dropped. An LRU list would cost a validation as much as the rest of its look-up. Keys are hashed to
 * numbers, since a `Map` with string keys interns each key first.
 */
export class TwoGenerationCache<K extends string | number, V extends object> {
  #newer = new Map<number, CacheEntry<K, V>>();
  #older = new Map<number, CacheEntry<K, V>>();
  /** Characters of the keys in the newer generation. */
  #characters = 0;
  readonly #changed = new Set<K>();
  #allChanged = false;

  get(key: K): V | undefined {
    const place = placeOf(key);
    const kept = this.#newer.get(place);
    if (kept?.key === key) return kept.value;
    const older = this.#older.get(place);
    if (older?.key !== key) return undefined;
    this.#put(place, older);
    return older.value;
  }

  set(key: K, value: V): void {
    this.#put(placeOf(key), { key, value });
  }

  /** Notes that a write unit of this process changes this entry; without a key, that it may change any. */
  note(key?: K): void {
    if (key === undefined) this.#allChanged = true;
    else this.#changed.add(key);
  }

  /** Drops the entries that were noted, or `everything`. */
  settle(everything: boolean): void {
    if (everything || this.#allChanged) this.clear();
    else for (const key of this.#changed) this.#remove(key);
    this.#changed.clear();
    this.#allChanged = false;
  }

  clear(): void {
    this.#newer.clear();
    this.#older.clear();
    this.#characters = 0;
  }

  #put(place: number, answer: CacheEntry<K, V>): void {
    if (this.#newer.size >= MOST / 2 || this.#characters >= MOST_CHARACTERS / 2) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#characters = 0;
    }
    if (typeof answer.key === 'string') this.#characters += answer.key.length;
    this.#newer.set(place, answer);
  }

  /** Drops another entry with the same hash as well, which then has to be read again. */
  #remove(key: K): void {
    const place = placeOf(key);
    this.#newer.delete(place);
    this.#older.delete(place);
  }
}
