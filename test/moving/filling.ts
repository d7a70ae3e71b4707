import { bytesOf } from '../../src/domain/ticket.ts';
import { type Store, StoreUnavailable } from '../../src/storage/store.ts';
import { PARTS, type Scalar, type TransferRow, type TransferSide } from '../../src/storage/transfer.ts';
import { aCounter, addUser, aKey, aTicket, issue, MINUTE, NOW } from '../storage/conformance/samples.ts';

const NODE = { store: 'workspace://SpacesStore', type: 'cm:folder', parent: 'company-home' };
/** Texts whose order differs between UTF-8 and UTF-16, and that PostgreSQL has to escape. */
export const ODD_NAMES = ['zwölf', '\ufb01', '\u{1f600}', 'a\u0000b', 'a\u0001', 'a\u0001b'];

/** Fills a store with some rows of every kind, all unusual. Returns the user ada, who has a ticket. */
export async function fill(store: Store) {
  const ada = await addUser(store, 'ada', { generation: 3, administrator: true });
  await addUser(store, 'Émile', { passwordHash: undefined, disabled: true });
  await addUser(store, 'zoë', { lockedUntil: 8_640_000_000_000_000 });
  const gone = await addUser(store, 'gone');
  await issue(
    store,
    ...[1, 2, 3, 4, 5].map((n) => aTicket(n, ada, { usedAt: NOW + n, serverGeneration: 1 })),
    aTicket(6, gone),
  );
  await store.write(async ({ users, clients, tickets, attempts, events, nodes }) => {
    await users.remove(gone.id);
    await users.setNamesCaseSensitive(true);
    await tickets.raiseServerGeneration();
    await attempts.put(aKey('one'), undefined, aCounter());
    await attempts.put(aKey('two'), aKey('ada'), aCounter({ waitUntil: NOW + MINUTE }));
    for (const address of ['192.0.2.1', '192.0.2.10', '2001:db8::1'])
      await attempts.setFamiliar(ada.id, address, NOW);
    for (const name of ODD_NAMES) await nodes.put({ ...NODE, id: name, name });
    await nodes.put({ store: 'archive://Store', id: 'root', type: 'cm:folder', name: 'Root' });
    await clients.add({ name: 'gateway', secretDigest: bytesOf(aTicket(9, ada).digest), addedAt: NOW });
    await events.append({ at: NOW, kind: 'login', user: 'ada', from: '192.0.2.1', digest: 'abcdef01' });
    await events.tally({ at: NOW, kind: 'ticket-refused', reason: 'unknown' }, 7);
    await events.append({ at: NOW - MINUTE, kind: 'expiry' });
    await events.sweep(NOW, 1);
  });
  return ada;
}

/** The row of a user with defaults in all other columns, however many there are. */
export function aUserRow(id: number, key: string): TransferRow {
  const own: Readonly<Record<string, Scalar>> = { id, key, name: key };
  const bare = { number: 0, text: '', bytes: null, flag: false };
  const { columns = {} } = PARTS.find(({ name }) => name === 'users') ?? {};
  return Object.entries(columns).map(([column, kind]) => own[column] ?? bare[kind]);
}

/** All rows of one side of a copy. */
export async function everythingOn(side: TransferSide): Promise<Record<string, TransferRow[]>> {
  const all: Record<string, TransferRow[]> = {};
  for (const part of PARTS) all[part.name] = await side.page(part, undefined, 100_000);
  return all;
}

/** The message of the refused work. Throws if the work succeeds or fails in another way. */
export async function whyRefused(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (error instanceof StoreUnavailable) return error.message;
    throw error;
  }
  throw new Error('it was not refused');
}
