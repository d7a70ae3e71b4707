import { isOfProgram, type KeptTicket } from '../domain/ticket.ts';
import type { ReadUnit } from '../storage/store.ts';

/**
 * Whether a live ticket was issued for a credential that programs keep: an app password, or an access token of a provider. Such a
 * ticket opens neither pages nor administration.
 */
export async function isProgramTicket(
  { tickets }: Pick<ReadUnit, 'tickets'>,
  ticket: KeptTicket,
): Promise<boolean> {
  const [origin] = await tickets.originsOf([ticket]);
  // A ticket that has just ended has no origin, so it may have come from a program.
  return origin === undefined ? (await tickets.find(ticket.digest)) === undefined : isOfProgram(origin);
}
