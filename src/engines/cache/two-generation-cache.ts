import { hashOf } from './changes.ts';

/** The most entries of a cache: half of them in the newer generation, half in the older. */
const MOST = 32_768;
/** The most characters of all keys, likewise: a key can be as long as the URL of a request. */
const MOST_CHARACTERS = 4_000_000;

interface CacheEntry<K, V> {
  readonly key: K;
  readonly value: V;
}

/**
 * A cache in two generations: a full newer one becomes the older one, and the entries of the older one that were not
 * used since then are dropped. An LRU list would cost a validation as much as the rest of its look-up. Keys are hashed to
 * numbers, since a `Map` with string keys interns each key first; of two keys with the same hash the last one is kept.
 */
export class TwoGenerationCache<K extends string | number, V extends object> {
  #newer = new Map<number, CacheEntry<K, V>>();
  #older = new Map<number, CacheEntry<K, V>>();
  /** Characters of the keys in the newer generation. */
  #characters = 0;

  get(key: K): V | undefined {
    const hash = hashOf(key);
    const newer = this.#newer.get(hash);
    if (newer?.key === key) return newer.value;
    const older = this.#older.get(hash);
    if (older?.key !== key) return undefined;
    this.#put(hash, older);
    return older.value;
  }

  set(key: K, value: V): void {
    this.#put(hashOf(key), { key, value });
  }

  clear(): void {
    this.#newer.clear();
    this.#older.clear();
    this.#characters = 0;
  }

  #put(hash: number, entry: CacheEntry<K, V>): void {
    if (this.#newer.size >= MOST / 2 || this.#characters >= MOST_CHARACTERS / 2) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#characters = 0;
    }
    if (typeof entry.key === 'string') this.#characters += entry.key.length;
    this.#newer.set(hash, entry);
  }
}
