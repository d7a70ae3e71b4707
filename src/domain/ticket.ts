import { longestLock } from './lockout.ts';
import { type Holder, isLocked, isLockedByHand } from './user.ts';

declare const ticketMark: unique symbol;
/** A ticket as its holder presents it: `TICKET_` and 40 lower-case hex digits. Never stored, never logged. */
export type Ticket = string & { readonly [ticketMark]: true };

declare const digestMark: unique symbol;
/** The SHA-256 of a ticket as 64 lower-case hex digits: the only trace of it that is kept. */
export type Digest = string & { readonly [digestMark]: true };

/** A ticket as the store keeps it. Times are epoch milliseconds. */
export interface KeptTicket {
  readonly digest: Digest;
  readonly userId: number;
  /** The user's and the server's generation when it was issued. */
  readonly userGeneration: number;
  readonly serverGeneration: number;
  readonly issuedAt: number;
  /** The last written use; at most a tenth of the inactivity time older than the last use. */
  readonly usedAt: number;
}

/** A kept ticket beside what decides whether it lives: its user and the server's generation, as they are now. */
export interface HeldTicket {
  readonly ticket: KeptTicket;
  readonly user: Holder;
  readonly serverGeneration: number;
}

/** How long tickets live, in milliseconds; `Infinity` where a limit is off. */
export interface Lifetime {
  readonly idle: number;
  readonly age: number;
  /** How long the first lock-out by failures lasts. */
  readonly lockoutDuration?: number;
  /** Whether tickets stay valid while failures lock their user out; without it they are suspended. */
  readonly throughLockOut?: boolean;
}

/** `service.md` 3: valid, invalid, expired; a suspended one is valid again when its user's lock ends. */
export type TicketState = 'valid' | 'expired' | 'invalid' | 'suspended';

/** Why a text is no live ticket. */
export type WhyDead = 'malformed' | 'unknown' | Exclude<TicketState, 'valid'>;

/** How many random bytes a ticket is made of: 160 bits. */
export const TICKET_BYTES = 20;

/** The form of a ticket, as schemas show it. */
export const TICKET_PATTERN = '^TICKET_[0-9a-f]{40}$';

const FORM = new RegExp(TICKET_PATTERN);

/** The ticket that `text` is, or nothing when it is not of the form: refused before the store is asked. */
export function parseTicket(text: string): Ticket | undefined {
  return FORM.test(text) ? (text as Ticket) : undefined;
}

/** A new ticket over {@link TICKET_BYTES} bytes of the system's randomness. */
export function makeTicket(random: Buffer): Ticket {
  return `TICKET_${random.toString('hex')}` as Ticket;
}

/**
 * The tickets that `random` and the numbers after its last four bytes make: none of the others is touched, so that 128
 * bits stay as random as they came.
 */
export function* drawTickets(random: Buffer): Generator<Ticket, never> {
  const bytes = Buffer.from(random);
  const at = TICKET_BYTES - 4;
  for (;;) {
    yield makeTicket(bytes);
    bytes.writeUInt32BE((bytes.readUInt32BE(at) + 1) >>> 0, at);
  }
}

/** The 32 bytes of a digest, as which engines keep it. */
export function bytesOf(digest: Digest): Buffer {
  return Buffer.from(digest, 'hex');
}

/** The digest that {@link bytesOf} made these bytes of. */
export function digestFrom({ buffer, byteOffset, byteLength }: Uint8Array): Digest {
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex') as Digest;
}

/** Sorts tickets by their digests: in the order of the digits, which is that of the bytes. */
export function byDigest(a: KeptTicket, b: KeptTicket): number {
  return Number(a.digest > b.digest) - Number(a.digest < b.digest);
}

/** Sorts tickets by when they were issued, the oldest first, and those of one moment by their digests. */
export function oldestFirst(a: KeptTicket, b: KeptTicket): number {
  return a.issuedAt - b.issuedAt || byDigest(a, b);
}

/** What logs and events show of a ticket: the first 8 digits of its digest. */
export function shortDigest(digest: Digest): string {
  return digest.slice(0, 8);
}

/**
 * The state of a ticket at `now`: it is invalid once its user is gone or disabled. Death for good comes before a
 * suspension, so that nothing dead ever comes back.
 */
export function stateOf(
  { ticket, user, serverGeneration }: Omit<HeldTicket, 'user'> & { readonly user: Holder | undefined },
  now: number,
  lifetime: Lifetime,
): TicketState {
  if (user === undefined || user.disabled) return 'invalid';
  if (ticket.userGeneration < user.generation || ticket.serverGeneration < serverGeneration) return 'invalid';
  // Times in the future come from a clock that was ahead: a use counts as one of now, and an issue until it is an age away.
  if (now - ticket.usedAt >= lifetime.idle || Math.abs(now - ticket.issuedAt) >= lifetime.age)
    return 'expired';
  const outlivesLock = lifetime.throughLockOut === true && !isLockedByHand(user);
  return isLockedFor(user, now, lifetime) && !outlivesLock ? 'suspended' : 'valid';
}

/** Whether the user is locked out at `now`, where lock-outs last as long as `lifetime` says. */
export function isLockedFor(
  user: Pick<Holder, 'lockedUntil'>,
  now: number,
  { lockoutDuration = Number.POSITIVE_INFINITY }: Lifetime,
): boolean {
  return isLocked(user, now, longestLock(lockoutDuration));
}

/**
 * When a ticket ends that is used at `now` and not again, in epoch milliseconds: what the kept times say once that use
 * is written. `Infinity` where no limit is on.
 */
export function endOf(ticket: KeptTicket, now: number, lifetime: Lifetime): number {
  const usedAt = useIsDue(ticket, now, lifetime) ? now : ticket.usedAt;
  return Math.min(usedAt + lifetime.idle, ticket.issuedAt + lifetime.age);
}

/** When a use at `now` must be written: once the written one is older than a tenth of the inactivity time. */
export function useIsDue(ticket: KeptTicket, now: number, lifetime: Lifetime): boolean {
  return now - ticket.usedAt > lifetime.idle / 10;
}

/** A name as an error may repeat it: one that holds a ticket is masked whole. */
export function maskedIfTicket(name: string): string {
  return /TICKET_/i.test(name) ? '***' : name;
}
