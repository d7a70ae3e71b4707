import {
  type Digest,
  digestFrom,
  type HeldTicket,
  type KeptTicket,
} from '../../../src/core/domain/ticket.ts';
import type { User } from '../../../src/core/domain/user.ts';

/** A user who may log in, with the differences that a test needs. */
export function userLike(different: Partial<User> = {}): User {
  const user = { id: 1, name: 'Ann', key: 'ann', administrator: false, passwordHash: '$argon2id$' };
  const state = { disabled: false, lockedUntil: 0, generation: 0, mustChangePassword: false };
  const signIn = { provider: undefined, hasSecondFactor: false, secondFactorAskedAt: 0, lastLoginAt: 0 };
  return { ...user, ...state, ...signIn, ...different };
}

/** A digest of 32 equal bytes. */
export function digestLike(byte: number): Digest {
  return digestFrom(Buffer.alloc(32, byte));
}

/** A ticket that was issued and used at 0, with the differences that a test needs. */
export function ticketLike(different: Partial<KeptTicket> = {}): KeptTicket {
  const ticket = { digest: digestLike(0xab), userId: 1, userGeneration: 0, serverGeneration: 0 };
  return { ...ticket, issuedAt: 0, usedAt: 0, ...different };
}

/** A ticket with its user. */
export function heldLike(
  ticket: Partial<KeptTicket> = {},
  user: Partial<User> = {},
  serverGeneration = 0,
): HeldTicket {
  return { ticket: ticketLike(ticket), user: userLike(user), serverGeneration };
}
