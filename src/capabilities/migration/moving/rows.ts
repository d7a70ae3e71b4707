import { createHash } from 'node:crypto';
import type { Scalar, TransferRow, TransferTable } from '../../../core/storage/transfer.ts';
import type { TransferSide } from '../../../core/storage/transfer-sides.ts';

/** Rows to read or write at a time. */
const PAGE = 5_000;

function compareScalars(a: Scalar, b: Scalar): number {
  if (a === b) return 0;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  // Engines compare texts as UTF-8, whose order differs from that of UTF-16.
  return Buffer.from(a as string | Buffer).compare(Buffer.from(b as string | Buffer));
}

/** Compares two rows by their keys: below 0 if the first comes first. */
export function compareKeys({ key }: TransferTable, a: TransferRow, b: TransferRow): number {
  for (let place = 0; place < key; place++) {
    const order = compareScalars(a[place] as Scalar, b[place] as Scalar);
    if (order !== 0) return order;
  }
  return 0;
}

/** Whether two rows have the same values. */
export function sameRow(a: TransferRow, b: TransferRow): boolean {
  return a.every((value, place) => {
    const other = b[place] as Scalar;
    return value === other || (Buffer.isBuffer(value) && Buffer.isBuffer(other) && value.equals(other));
  });
}

/** The rows of a part in the order of their keys. It reads the next page while the caller works on one. */
export async function* pagesOf(
  side: TransferSide,
  part: TransferTable,
): AsyncGenerator<readonly TransferRow[]> {
  let page = await side.page(part, undefined, PAGE);
  while (page.length > 0) {
    const next = page.length < PAGE ? Promise.resolve([]) : side.page(part, page.at(-1), PAGE);
    // If the caller stops early, it reports its own error, not this one.
    next.catch(() => undefined);
    yield page;
    page = await next;
  }
}

/** Reads the rows of a part in steps, each up to a given key. */
export class RowsUpTo {
  readonly #part: TransferTable;
  readonly #pages: AsyncGenerator<readonly TransferRow[]>;
  #page: readonly TransferRow[] = [];

  constructor(side: TransferSide, part: TransferTable) {
    this.#part = part;
    this.#pages = pagesOf(side, part);
  }

  /** The next rows, up to and including the one with this key. Without a key, all that are left. */
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

/** The number of rows, and a digest of their values. */
export interface Fingerprint {
  readonly rows: number;
  readonly digest: string;
}

const hexed = (value: Scalar) => (Buffer.isBuffer(value) ? value.toString('hex') : value);

/** Computes the fingerprint of rows that arrive in pages. */
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
