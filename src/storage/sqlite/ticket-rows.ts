import type { Digest, KeptTicket } from '../../domain/ticket.ts';
import type { TicketOnPage } from '../store.ts';

/** A digest as it is asked for: made text by SQLite, since a row with bytes in it takes twice as long to read. */
export const DIGEST = 'lower(hex(t.digest))';

/** The columns of a {@link TicketRow}. */
export const TICKET_COLUMNS = 't.user_id, t.user_generation, t.server_generation, t.issued_at, t.used_at';

/** A ticket beside its digest. Rows are lists of values: objects with a name for each take twice as long as well. */
export type TicketRow = [
  userId: number,
  userGeneration: number,
  serverGeneration: number,
  issuedAt: number,
  usedAt: number,
];

export function toTicket(digest: Digest, row: readonly [...TicketRow, ...unknown[]]): KeptTicket {
  const [userId, userGeneration, serverGeneration, issuedAt, usedAt] = row;
  return { digest, userId, userGeneration, serverGeneration, issuedAt, usedAt };
}

/** The columns of a {@link HeldRow}. */
export const HELD_COLUMNS = `${TICKET_COLUMNS}, u.name, u.administrator, u.disabled, u.locked_until, u.generation`;

/** A ticket beside its digest, and its user: all `null` where that is gone. */
export type HeldRow = [
  ...TicketRow,
  name: string | null,
  administrator: number,
  disabled: number,
  lockedUntil: number,
  generation: number,
];

export function toHeld(digest: Digest, row: readonly [...HeldRow, ...unknown[]]): TicketOnPage {
  const ticket = toTicket(digest, row);
  const [id, , , , , name, administrator, disabled, lockedUntil, generation] = row;
  if (name === null) return { ticket, user: undefined };
  const flags = { administrator: administrator === 1, disabled: disabled === 1 };
  return { ticket, user: { id, name, ...flags, lockedUntil, generation } };
}
