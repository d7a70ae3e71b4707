import { exchange, type ServerUnderTest } from '../../../conformance/player/wire.ts';

/** A log-out that every server of this API accepts. */
const LOG_OUT = { ask: 'DELETE /api/login/ticket/{{ticket}}', basic: 'ROLE_TICKET:{{ticket}}' };

const DEAD_ALREADY = [401, 404];

/** Logs out these tickets, up to the first missing answer. Returns a line about the tickets that are left, or ''. */
export async function logOutAll(server: ServerUnderTest, tickets: ReadonlySet<string>): Promise<string> {
  const left = new Set(tickets);
  let why: string | undefined;
  try {
    // A copy: tickets that the server issues meanwhile could go on for ever.
    for (const ticket of left) {
      // Leave out the server's own text: it may be any server.
      const { status } = await exchange(LOG_OUT, server, { ticket });
      if (status < 300 || DEAD_ALREADY.includes(status)) left.delete(ticket);
      else why ??= `The server answered ${status}`;
    }
  } catch (error) {
    why ??= `No answer: ${(error as Error).message}`;
  }
  if (why === undefined) return '';
  const count = left.size === 1 ? '1 ticket' : `${left.size} tickets`;
  return `${count} of the run could not be ended: ${why}.\n`;
}
