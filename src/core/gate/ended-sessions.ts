import { hash } from 'node:crypto';
import type { Digest } from '../domain/ticket.ts';
import type { ReadUnit, WriteUnit } from '../storage/store.ts';

/** Milliseconds for which the end of a session is remembered: longer than a sign-in waits for a second factor. */
const REMEMBERED = 15 * 60_000;

/** The digest that stands for all sessions of a user at identity providers. */
export const sessionsOf = (userId: number): Digest => hash('sha256', `sessions ${userId}`, 'hex') as Digest;

/** Remembers that a session ended at an identity provider at this time, until the sweeper finds no ticket of its digest. */
export const rememberEnd = ({ ticketParents }: WriteUnit, session: Digest, at: number): Promise<void> =>
  ticketParents.put(session, session, at + REMEMBERED);

/** A sign-in that waits. */
interface WaitingSignIn {
  readonly userId: number;
  /** The session that it hangs on. */
  readonly parent?: Digest | undefined;
  /** When its first proof was accepted, in epoch milliseconds. */
  readonly provedAt?: number | undefined;
}

/** Whether the session of a sign-in ended while the sign-in waited: no ticket was there to end with it. */
export async function hasEnded(
  { ticketParents }: Pick<ReadUnit, 'ticketParents'>,
  { userId, parent, provedAt }: WaitingSignIn,
): Promise<boolean> {
  if (provedAt === undefined) return false;
  for (const session of parent === undefined ? [sessionsOf(userId)] : [sessionsOf(userId), parent]) {
    const checkedAt = await ticketParents.checkedAt(session);
    if (checkedAt !== undefined && provedAt <= checkedAt - REMEMBERED) return true;
  }
  return false;
}
