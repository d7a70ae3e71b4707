import { type Client, Refused } from '../../client/client.ts';
import type { Terminal } from '../context.ts';

const DEAD_ALREADY = [401, 404];

/** Why a ticket could not be ended; nothing where it is dead, now or already. */
async function failureOf(logout: Promise<void>): Promise<Error | undefined> {
  try {
    await logout;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (!(error instanceof Refused && DEAD_ALREADY.includes(error.status))) return error;
  }
  return undefined;
}

/** The words of the server are left out: it may be any server. */
const told = (failure: Error) =>
  failure instanceof Refused ? `The server answered ${failure.status}` : failure.message;

/** Ends these tickets, and tells how many could not be ended. Where no answer of this API comes the rest is given up. */
export async function logOutAll(
  client: Client,
  tickets: ReadonlySet<string>,
  { stderr }: Terminal,
): Promise<void> {
  const left = new Set(tickets);
  let failure: Error | undefined;
  for (const ticket of tickets) {
    const why = await failureOf(client.withTicket(ticket).logout());
    if (why === undefined) left.delete(ticket);
    failure ??= why;
    if (why !== undefined && !(why instanceof Refused)) break;
  }
  if (failure === undefined) return;
  const count = left.size === 1 ? '1 ticket' : `${left.size} tickets`;
  stderr.write(`${count} of the run could not be ended: ${told(failure)}.\n`);
}
