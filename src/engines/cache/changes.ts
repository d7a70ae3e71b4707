/** How many places there are: a power of two. */
const PLACES = 65_536;

/** A hash of a key, of as many bits as a number can have that V8 keeps without an object of its own. */
export function hashOf(key: string | number): number {
  if (typeof key === 'number') return key;
  let hash = key.length;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x0100_0193);
  return hash & 0x3fff_ffff;
}

/**
 * When what is cached under each key last changed, on a clock that each change moves on. A value that was asked for at some time is valid
 * as long as none of its keys has changed since, so an answer that a change has overtaken is never valid. Keys share places: a
 * value that is still valid may be dropped, but a stale one is never kept.
 */
export class Changes {
  readonly #lastAt = new Float64Array(PLACES);
  #allAt = 0;
  #now = 0;

  /** The time before a read is sent that is to be cached. */
  get now(): number {
    return this.#now;
  }

  /** The place of a key. */
  placeOf(key: string | number): number {
    return hashOf(key) & (PLACES - 1);
  }

  /** Notes that what is cached under this key has changed. */
  note(key: string | number): void {
    this.#now += 1;
    this.#lastAt[this.placeOf(key)] = this.#now;
  }

  /** Notes that everything may have changed. */
  noteAll(): void {
    this.#now += 1;
    this.#allAt = this.#now;
  }

  /** Whether nothing has changed at this place since then. */
  isUnchanged(place: number, since: number): boolean {
    return this.#allAt <= since && (this.#lastAt[place] as number) <= since;
  }
}
