/** Answers that are kept at most, half of them those that were asked for since the others. */
const MOST = 32_768;
/** Characters of their keys at most, half and half as well: a key can be as long as the URL of a request. */
const MOST_CHARACTERS = 4_000_000;

/** A number made of a key, which others may have as well: on a shelf each puts the other out. */
export function placeOf(key: string | number): number {
  if (typeof key === 'number') return key;
  let place = key.length;
  for (let at = 0; at < key.length; at += 1) place = Math.imul(place ^ key.charCodeAt(at), 0x0100_0193);
  // As many bits as a number can have that needs no room of its own.
  return place & 0x3fff_ffff;
}

interface Answer<K, V> {
  readonly key: K;
  readonly value: V;
}

/**
 * Answers about the database, as they were read lately. In two halves, since the library's list of
 * the least used costs a validation as much as the rest of its look-up; by numbers made of the keys, since a `Map` of
 * texts has each one looked up among all texts of the process first.
 */
export class Shelf<K extends string | number, V extends object> {
  #newer = new Map<number, Answer<K, V>>();
  #older = new Map<number, Answer<K, V>>();
  /** Characters of the keys that were put into the newer half. */
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

  /** Notes that a unit of this process changes the answer; without a key, that it may change any. */
  note(key?: K): void {
    if (key === undefined) this.#allChanged = true;
    else this.#changed.add(key);
  }

  /** Takes out what was changed, or `everything`. */
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

  #put(place: number, answer: Answer<K, V>): void {
    if (this.#newer.size >= MOST / 2 || this.#characters >= MOST_CHARACTERS / 2) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#characters = 0;
    }
    if (typeof answer.key === 'string') this.#characters += answer.key.length;
    this.#newer.set(place, answer);
  }

  /** Whoever has the same place goes as well, which costs it a look-up. */
  #remove(key: K): void {
    const place = placeOf(key);
    this.#newer.delete(place);
    this.#older.delete(place);
  }
}
