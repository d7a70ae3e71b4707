import { exchange, type ServerUnderTest } from '../../../conformance/player/wire.ts';

/** In the form that every server of this API takes. */
const LOG_OUT = { ask: 'DELETE /api/login/ticket/{{ticket}}', basic: 'ROLE_TICKET:{{ticket}}' };

const DEAD_ALREADY = [401, 404];

/** Ends these tickets; gives a line about those that could not be ended, if any. Where no answer comes the rest is given up. */
export async function logOutAll(server: ServerUnderTest, tickets: ReadonlySet<string>): Promise<string> {
  const left = new Set(tickets);
  let why: string | undefined;
  try {
    // Not those that are given out meanwhile: there could be no end of them.
    for (const ticket of left) {
      // The words of the server are left out: it may be any server.
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
