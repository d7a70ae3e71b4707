import { type Refusal, refuse } from './refusal.ts';

/** The place of an item in the order of a list, such as the key and the id of a user. Its numbers are whole. */
type CursorPlace<K extends readonly ('string' | 'number')[]> = {
  readonly [N in keyof K]: K[N] extends 'string' ? string : number;
};

/** Writes and reads the cursors of one list. A caller sends one back unchanged, and gets the page after its place. */
export interface Cursors<P> {
  /** The cursor of the page that begins after this place. */
  after(place: P): string;
  /** The place in a cursor; undefined for the first page, which has none. */
  read(cursor: string | undefined): P | undefined | Refusal<'cursor_invalid'>;
}

/** FNV-1a, 32 bits. It detects a damaged cursor. It is no signature: a caller can compute it. */
function checksum(text: string): number {
  let sum = 0x811c9dc5;
  for (const byte of Buffer.from(text)) sum = Math.imul(sum ^ byte, 0x01000193);
  return sum >>> 0;
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}

/**
 * The cursors of the list of this name, whose places have members of these kinds. They are opaque: base64url of the place
 * and of a checksum over the list's name and the place. A cursor of another list or a mangled one is refused.
 */
export function cursorsOf<const K extends readonly ('string' | 'number')[]>(
  list: string,
  ...kinds: K
): Cursors<CursorPlace<K>> {
  const write = (place: readonly (string | number)[]) => {
    const text = JSON.stringify([list, ...place]);
    return Buffer.from(JSON.stringify([checksum(text), ...place])).toString('base64url');
  };
  // Anybody can make a checksum, and no engine has a place for every number.
  const isOf = (kind: 'string' | 'number', value: unknown) =>
    kind === 'number' ? Number.isSafeInteger(value) : typeof value === kind;
  const hasKinds = (place: readonly unknown[]): place is readonly (string | number)[] =>
    place.length === kinds.length && kinds.every((kind, at) => isOf(kind, place[at]));
  return {
    after: (place) => write(place as readonly (string | number)[]),
    read(cursor) {
      if (cursor === undefined || cursor === '') return undefined;
      const found = parsed(cursor);
      const place = Array.isArray(found) ? found.slice(1) : [];
      // Written anew it has to be the same text: this compares the checksum, too, and admits one spelling only.
      if (!hasKinds(place) || write(place) !== cursor) return refuse('cursor_invalid');
      return place as unknown as CursorPlace<K>;
    },
  };
}

/** A page of a list, and the cursor of the next one, if there is one. */
export interface CursorPage<T> {
  readonly items: readonly T[];
  readonly next: string | undefined;
}

/**
 * Makes a page of the first `limit` rows. Pass one row more if another page follows: then the page has a cursor. `placeOf`
 * returns the place of a row.
 */
export function cursorPage<T, P>(
  rows: readonly T[],
  limit: number,
  cursors: Cursors<P>,
  placeOf: (row: T) => P,
): CursorPage<T> {
  const items = rows.slice(0, limit);
  const last = rows.length > limit ? items.at(-1) : undefined;
  return { items, next: last === undefined ? undefined : cursors.after(placeOf(last)) };
}
