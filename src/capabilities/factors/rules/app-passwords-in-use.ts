import type { AppPassword } from '../../../core/domain/app-password.ts';
import type { TicketAndOwner, TicketOrigin, TicketState } from '../../../core/domain/ticket.ts';
import { isPasswordless, type User } from '../../../core/domain/user.ts';
import type { ReadUnit } from '../../../core/storage/store.ts';

/** An app password, and the number of live tickets that came from it. */
export interface AppPasswordInUse extends AppPassword {
  readonly tickets: number;
}

/** The app passwords of a user, each with the number of its live tickets, which come from these origins. */
export const withTickets = (
  own: readonly AppPassword[],
  origins: readonly (TicketOrigin | undefined)[],
): AppPasswordInUse[] =>
  own.map((each) => ({
    ...each,
    tickets: origins.filter((origin) => origin?.appPassword === each.name).length,
  }));

/**
 * The app passwords of a user, sorted by name in the order of code points; undefined if the user can have none, since any
 * password logs it in.
 */
export async function appPasswordsInUse(
  { appPasswords, tickets, users }: Pick<ReadUnit, 'appPasswords' | 'tickets' | 'users'>,
  { id }: Pick<User, 'id'>,
  stateNow: (ticket: TicketAndOwner) => TicketState,
): Promise<AppPasswordInUse[] | undefined> {
  const [user, own, keptTickets, serverGeneration] = await Promise.all([
    users.find(id),
    appPasswords.ofUser(id),
    tickets.listOf(id),
    tickets.serverGeneration(),
  ]);
  if (user === undefined || isPasswordless(user)) return undefined;
  const isLive = (ticket: (typeof keptTickets)[number]) =>
    ['valid', 'suspended'].includes(stateNow({ ticket, user, serverGeneration }));
  return withTickets(own, own.length === 0 ? [] : await tickets.originsOf(keptTickets.filter(isLive)));
}
