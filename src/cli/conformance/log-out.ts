import { exchange, type Server } from '../../conformance/wire.ts';
import type { Terminal } from '../context.ts';

/** In the form that every server of this API takes, and in no format: the reference answers a log-out in one alone. */
const LOG_OUT = { ask: 'DELETE /api/login/ticket/{{ticket}}', basic: 'ROLE_TICKET:{{ticket}}' };

/** Ended, or dead already. */
const ENDED = [200, 401, 404];

/** Ends these tickets, and tells how many could not be ended. Where no answer comes the rest is given up. */
export async function logOutAll(
  server: Server,
  tickets: ReadonlySet<string>,
  { stderr }: Terminal,
): Promise<void> {
  const left = new Set(tickets);
  let why: string | undefined;
  try {
    for (const ticket of tickets) {
      // The words of the server are left out: it may be any server.
      const { status } = await exchange(LOG_OUT, server, { ticket });
      if (ENDED.includes(status)) left.delete(ticket);
      else why ??= `The server answered ${status}`;
    }
  } catch (error) {
    why ??= `No answer: ${(error as Error).message}`;
  }
  if (why === undefined) return;
  const count = left.size === 1 ? '1 ticket' : `${left.size} tickets`;
  stderr.write(`${count} of the run could not be ended: ${why}.\n`);
}
