import type { TransferSource, TransferTarget } from '../storage/transfer.ts';

/** Where a store is, for copying it. */
export type StoreLocation =
  | { readonly engine: 'sqlite'; readonly folder: string }
  | { readonly engine: 'postgres'; readonly url: string; readonly password: string | undefined };

/** The store at this place, to copy from. */
export async function sourceAt(place: StoreLocation): Promise<TransferSource> {
  if (place.engine === 'sqlite') {
    const { sqliteSource } = await import('../storage/sqlite/transfer/source.ts');
    return sqliteSource(place.folder);
  }
  const { postgresSource } = await import('../storage/postgres/transfer/source.ts');
  return postgresSource(place.url, { password: place.password });
}

/** The store that is to be at this place, to copy `source` into. */
export async function targetAt(place: StoreLocation, source: TransferSource): Promise<TransferTarget> {
  if (place.engine === 'sqlite') {
    const { sqliteTarget } = await import('../storage/sqlite/transfer/target.ts');
    return sqliteTarget(place.folder, source.identity);
  }
  const { postgresTarget } = await import('../storage/postgres/transfer/target.ts');
  const mark = { identity: source.identity, source: source.shown };
  return postgresTarget(place.url, mark, { password: place.password });
}
