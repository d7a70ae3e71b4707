import {
  keyOf,
  PARTS,
  type PartName,
  type TransferRow,
  type TransferTable,
} from '../../../core/storage/transfer.ts';
import type { TransferSource, TransferTarget } from '../../../core/storage/transfer-sides.ts';
import { compareKeys, type Fingerprint, Fingerprints, pagesOf, RowsUpTo, sameRow } from './rows.ts';

/** What a copy did. */
export interface Copied {
  /** Rows of each part, the same on both sides. */
  readonly rows: ReadonlyMap<PartName, number>;
  /** Rows that were written or removed. A second pass changes few. */
  readonly changed: number;
}

/** Thrown if the two sides differ after the copy. */
export class CopyDiffers extends Error {
  override name = 'CopyDiffers';
}

/** Called with the share of the work that is done, between 0 and 1, and the current part. */
type OnProgress = (share: number, part: PartName) => void;

interface RowDifference {
  readonly removed: TransferRow[];
  readonly added: TransferRow[];
}

/** The changes that turn the existing rows into the wanted ones. */
function difference(
  part: TransferTable,
  targets: readonly TransferRow[],
  present: readonly TransferRow[],
): RowDifference {
  const [removed, added]: [TransferRow[], TransferRow[]] = [[], []];
  let at = 0;
  for (const row of targets) {
    let existing = present[at];
    while (existing !== undefined && compareKeys(part, existing, row) < 0) {
      removed.push(keyOf(part, existing));
      existing = present[++at];
    }
    if (existing !== undefined && compareKeys(part, existing, row) === 0) {
      at += 1;
      if (sameRow(existing, row)) continue;
      removed.push(keyOf(part, existing));
    }
    added.push(row);
  }
  removed.push(...present.slice(at).map((row) => keyOf(part, row)));
  return { removed, added };
}

async function collected(pages: AsyncGenerator<readonly TransferRow[]>): Promise<TransferRow[]> {
  const rows: TransferRow[] = [];
  for await (const page of pages) rows.push(...page);
  return rows;
}

/** Copies one part from the source to the target. */
class PartCopy {
  readonly #part: TransferTable;
  readonly #target: TransferTarget;
  changed = 0;

  constructor(part: TransferTable, target: TransferTarget) {
    this.#part = part;
    this.#target = target;
  }

  /** With `removeOnly` it only removes rows that the source does not have. */
  async run(
    source: TransferSource,
    onPage: (page: readonly TransferRow[]) => void,
    removeOnly = false,
  ): Promise<void> {
    const existing = new RowsUpTo(this.#target, this.#part);
    for await (const page of pagesOf(source, this.#part)) {
      const found = difference(this.#part, page, await collected(existing.take(page.at(-1))));
      await this.#apply(removeOnly ? { ...found, added: [] } : found);
      onPage(page);
    }
    for await (const left of existing.take(undefined)) await this.#apply(difference(this.#part, [], left));
  }

  async #apply({ removed, added }: RowDifference): Promise<void> {
    if (removed.length + added.length === 0) return;
    await this.#target.change(this.#part, removed, added);
    this.changed += removed.length + added.length;
  }
}

async function fingerprintOf(
  target: TransferTarget,
  part: TransferTable,
  onPage: (page: readonly TransferRow[]) => void,
) {
  const prints = new Fingerprints();
  for await (const page of pagesOf(target, part)) {
    prints.add(page);
    onPage(page);
  }
  return prints.end();
}

function refuseDifference(part: TransferTable, ours: Fingerprint, theirs: Fingerprint): void {
  if (ours.rows === theirs.rows && ours.digest === theirs.digest) return;
  throw new CopyDiffers(
    `${part.name} differ after copying, ${ours.rows} rows against ${theirs.rows}: something else wrote to the copy. Stop it, and give the command again.`,
  );
}

/**
 * Copies the source to the target, and verifies it by counts and digests. Rows that the target already has stay. So a
 * copy that was cut off, or was made before the last changes, is soon complete. The target is marked as complete only
 * if no process could write to the source meanwhile.
 */
export async function copyStore(
  source: TransferSource,
  target: TransferTarget,
  onProgress: OnProgress,
): Promise<Copied> {
  let [done, all, changed] = [0, 0, 0];
  for (const part of PARTS) all += 2 * (await source.count(part));
  const onPage = (part: TransferTable) => (page: readonly TransferRow[]) => {
    done += page.length;
    onProgress(Math.min(1, done / all), part.name);
  };
  const rows = new Map<PartName, number>();
  for (const part of PARTS) {
    const copy = new PartCopy(part, target);
    if (part.tradesPlaces) await copy.run(source, () => undefined, true);
    const prints = new Fingerprints();
    await copy.run(source, (page) => {
      prints.add(page);
      onPage(part)(page);
    });
    const ours = prints.end();
    refuseDifference(part, ours, await fingerprintOf(target, part, onPage(part)));
    rows.set(part.name, ours.rows);
    changed += copy.changed;
  }
  if (source.inUse === undefined) await target.finish(await source.lastIds());
  return { rows, changed };
}
