import { hash } from 'node:crypto';
import { bytesOf, type Digest, digestFrom } from '../../src/core/domain/ticket.ts';
import { PARTS, type TransferRow, type TransferTable } from '../../src/core/storage/transfer.ts';
import type { TransferTarget } from '../../src/core/storage/transfer-sides.ts';
import { nameOf, passwordHash } from '../seeding/tickets.ts';
import type { Size } from './engine.ts';

const BATCH = 20_000;
const USERS = PARTS.find(({ name }) => name === 'users') as TransferTable;
const TICKETS = PARTS.find(({ name }) => name === 'tickets') as TransferTable;

/**
 * The digest of the ticket with this number, as random as a real one. It begins with the last byte of its user's id, as
 * digests in Redis do.
 */
export function digestOf(number: number, userId: number): Digest {
  const bytes = hash('sha256', `scale ticket ${number}`, 'buffer');
  bytes[0] = userId % 256;
  return digestFrom(bytes);
}

/** The id of the user of the ticket with this number. */
export const userOf = (number: number, { users }: Size): number => (number % users) + 1;

async function* batches(
  count: number,
  rowOf: (number: number) => TransferRow,
): AsyncGenerator<TransferRow[]> {
  for (let from = 0; from < count; from += BATCH)
    yield Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => rowOf(from + at));
}

/** Fills an empty store with users and their live tickets, as a copy of a store does. */
export async function fillTarget(
  target: TransferTarget,
  size: Size,
  say: (progress: string) => void,
): Promise<void> {
  const { users, tickets } = size;
  const [now, stored] = [Date.now(), await passwordHash()];
  const userRow = (n: number): TransferRow => [n + 1, nameOf(n), nameOf(n), false, stored, false, 0, 0];
  for await (const rows of batches(users, userRow)) await target.change(USERS, [], rows);
  let done = 0;
  const ticketOf = (n: number): TransferRow => {
    const user = userOf(n, size);
    return [bytesOf(digestOf(n, user)), user, 0, 0, now, now];
  };
  for await (const rows of batches(tickets, ticketOf)) {
    await target.change(TICKETS, [], rows);
    done += rows.length;
    if (done % 1_000_000 === 0) say(`${done} tickets`);
  }
  await target.finish({ users, events: 0 });
  await target.close();
}
