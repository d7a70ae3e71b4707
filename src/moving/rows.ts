import { createHash } from 'node:crypto';
import type { Scalar, TransferRow, TransferSide, TransferTable } from '../storage/transfer.ts';

/** Rows that are read, and written, at a time. */
const PAGE = 5_000;

function compareScalars(a: Scalar, b: Scalar): number {
  if (a === b) return 0;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  // Engines compare texts as UTF-8, which is another order than that of UTF-16.
  return Buffer.from(a as string | Buffer).compare(Buffer.from(b as string | Buffer));
}

/** Which of two rows comes first: below 0, the first one. */
export function compareKeys({ key }: TransferTable, a: TransferRow, b: TransferRow): number {
  for (let place = 0; place < key; place++) {
    const order = compareScalars(a[place] as Scalar, b[place] as Scalar);
    if (order !== 0) return order;
  }
  return 0;
}

/** Whether two rows say the same. */
export function sameRow(a: TransferRow, b: TransferRow): boolean {
  return a.every((value, place) => {
    const other = b[place] as Scalar;
    return value === other || (Buffer.isBuffer(value) && Buffer.isBuffer(other) && value.equals(other));
  });
}

/** The rows of a part in the order of their keys. The next page is asked for while one is worked on. */
export async function* pagesOf(
  side: TransferSide,
  part: TransferTable,
): AsyncGenerator<readonly TransferRow[]> {
  let page = await side.page(part, undefined, PAGE);
  while (page.length > 0) {
    const next = page.length < PAGE ? Promise.resolve([]) : side.page(part, page.at(-1), PAGE);
    // Whoever stops in mid-way has an error of its own to tell.
    next.catch(() => undefined);
    yield page;
    page = await next;
  }
}

/** The rows of a part, taken up to one key after another. */
export class RowsUpTo {
  readonly #part: TransferTable;
  readonly #pages: AsyncGenerator<readonly TransferRow[]>;
  #page: readonly TransferRow[] = [];

  constructor(side: TransferSide, part: TransferTable) {
    this.#part = part;
    this.#pages = pagesOf(side, part);
  }

  /** The rows that were not taken before, up to the one with this key and with it; without a key, all that are left. */
  async *take(upTo: TransferRow | undefined): AsyncGenerator<readonly TransferRow[]> {
    for (;;) {
      const past =
        upTo === undefined ? -1 : this.#page.findIndex((row) => compareKeys(this.#part, row, upTo) > 0);
      yield past < 0 ? this.#page : this.#page.slice(0, past);
      if (past >= 0) {
        this.#page = this.#page.slice(past);
        return;
      }
      const { value, done } = await this.#pages.next();
      this.#page = done ? [] : value;
      if (done) return;
    }
  }
}

/** How many rows there are, and a digest of all that they say. */
export interface Fingerprint {
  readonly rows: number;
  readonly digest: string;
}

const hexed = (value: Scalar) => (Buffer.isBuffer(value) ? value.toString('hex') : value);

/** Makes the fingerprint of rows that come page by page. */
export class Fingerprints {
  readonly #hash = createHash('sha256');
  #rows = 0;

  add(page: readonly TransferRow[]): void {
    this.#hash.update(page.map((row) => `${JSON.stringify(row.map(hexed))}\n`).join(''));
    this.#rows += page.length;
  }

  end(): Fingerprint {
    return { rows: this.#rows, digest: this.#hash.digest('hex') };
  }
}
