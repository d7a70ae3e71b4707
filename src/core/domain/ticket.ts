import type { ChangeEvent } from './event.ts';
import { longestLock } from './lockout.ts';
import type { RequestOrigin } from './request-origin.ts';
import { type Holder, isLocked, isLockedByHand } from './user.ts';

declare const ticketMark: unique symbol;
/** A ticket as its holder presents it: `TICKET_` and 40 lower-case hex digits. Never stored, never logged. */
export type Ticket = string & { readonly [ticketMark]: true };

declare const digestMark: unique symbol;
/** The SHA-256 of a ticket as 64 lower-case hex digits. Only this is stored. */
export type Digest = string & { readonly [digestMark]: true };

/** A ticket in the store. Times are epoch milliseconds. */
export interface KeptTicket {
  readonly digest: Digest;
  readonly userId: number;
  /** The generations of the user and the server when the ticket was issued. */
  readonly userGeneration: number;
  readonly serverGeneration: number;
  readonly issuedAt: number;
  /** The last use that was written. The real last use is at most a tenth of the inactivity time later. */
  readonly usedAt: number;
}

/**
 * How users prove who they are, by the names of RFC 8176: a password, a one-time password or recovery code, the key of a passkey. It has
 * no name for a sign-in at an identity provider; others call it `fed`.
 */
export type AuthenticationMethod = 'pwd' | 'otp' | 'pop' | 'fed';

/** Where the login of a ticket came from, how its user proved who it is, and for which credential of a program it was issued. */
export interface TicketOrigin extends RequestOrigin {
  /** The name of the user's app password that it was issued for. Undefined if it was issued for another credential. */
  readonly appPassword: string | undefined;
  /** The id of the identity provider whose access token a program exchanged for it. Absent for another credential. */
  readonly tokenProvider?: string;
  /** The name of the application that has the ticket for itself. Absent for any other. */
  readonly application?: string;
  /** Absent if no method is known: of a ticket that an earlier version issued, or of a user without a password. */
  readonly methods?: readonly AuthenticationMethod[];
}

/** Whether these methods prove two factors. A code comes after a password, and a passkey that is alone checks its user itself. */
export const provesTwoFactors = (methods: readonly AuthenticationMethod[] = []): boolean =>
  methods.includes('otp') || methods.includes('pop');

/** Whether the credential was one that programs keep: such a ticket opens neither pages nor administration. */
export const isOfProgram = ({
  appPassword,
  tokenProvider,
  application,
}: Partial<Pick<TicketOrigin, 'appPassword' | 'tokenProvider' | 'application'>>): boolean =>
  appPassword !== undefined || tokenProvider !== undefined || application !== undefined;

/** A stored ticket with its user and the server's generation as they are now, which decide whether it is valid. */
export interface HeldTicket {
  readonly ticket: KeptTicket;
  readonly user: Holder;
  readonly serverGeneration: number;
}

/** How long tickets are valid, in milliseconds; `Infinity` if a limit is off. */
export interface Lifetime {
  readonly idle: number;
  readonly age: number;
  /** How long the first lock-out by failures lasts. */
  readonly lockoutDuration?: number;
  /** Whether tickets stay valid during a lock-out by failures. Otherwise they are suspended. */
  readonly throughLockOut?: boolean;
}

/** The states of the specification, section 4, and `suspended`: valid again when the lock of its user ends. */
export type TicketState = 'valid' | 'expired' | 'invalid' | 'suspended';

/** Why a text is not a valid ticket. */
export type WhyDead = 'malformed' | 'unknown' | Exclude<TicketState, 'valid'>;

/** Random bytes in a ticket: 160 bits. */
export const TICKET_BYTES = 20;

/** The form of a ticket, for schemas. */
export const TICKET_PATTERN = '^TICKET_[0-9a-f]{40}$';

const FORM = new RegExp(TICKET_PATTERN);

/** Parses a ticket; undefined if the text does not have the form of one. */
export function parseTicket(text: string): Ticket | undefined {
  return FORM.test(text) ? (text as Ticket) : undefined;
}

/** Makes a ticket of {@link TICKET_BYTES} random bytes. */
export function makeTicket(random: Buffer): Ticket {
  return `TICKET_${random.toString('hex')}` as Ticket;
}

/**
 * Makes a ticket of `random`, and further ones by counting up its last four bytes. The other 128 bits stay the same, and so
 * as random as before.
 */
export function* drawTickets(random: Buffer): Generator<Ticket, never> {
  const bytes = Buffer.from(random);
  const at = TICKET_BYTES - 4;
  for (;;) {
    yield makeTicket(bytes);
    bytes.writeUInt32BE((bytes.readUInt32BE(at) + 1) >>> 0, at);
  }
}

/** The 32 bytes of a digest, as engines store it. */
export function bytesOf(digest: Digest): Buffer {
  return Buffer.from(digest, 'hex');
}

/** Whether a text has the form of a digest. */
export function isDigest(text: string): text is Digest {
  return /^[0-9a-f]{64}$/.test(text);
}

/** The digest of these bytes: the inverse of {@link bytesOf}. */
export function digestFrom({ buffer, byteOffset, byteLength }: Uint8Array): Digest {
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex') as Digest;
}

/** Compares tickets by their digests, for sorting. The order of the digits is the order of the bytes. */
export function byDigest(a: Pick<KeptTicket, 'digest'>, b: Pick<KeptTicket, 'digest'>): number {
  return Number(a.digest > b.digest) - Number(a.digest < b.digest);
}

/** Compares tickets by the time of issue, the oldest first, then by their digests. */
export function oldestFirst(a: KeptTicket, b: KeptTicket): number {
  return a.issuedAt - b.issuedAt || byDigest(a, b);
}

/** The first 8 digits of a ticket's digest, for logs and events. */
export function shortDigest(digest: Digest): string {
  return digest.slice(0, 8);
}

/** The reason of an event of a ticket that ended by another one, or with it. It names the other one by its first 8 digits. */
export const byTicket = (short: string): string => `by ticket ${short}`;

/** The event of a ticket of this user that ended by another ticket, or by itself. */
export const endedBy = (by: Digest, user: Holder | undefined, digest: Digest): ChangeEvent => ({
  kind: 'logout',
  user: user?.name,
  digest: shortDigest(digest),
  reason: by === digest ? undefined : byTicket(shortDigest(by)),
});

/** A kept ticket with its user, if the user still exists, and the generation of the server. */
export type TicketAndOwner = Omit<HeldTicket, 'user'> & { readonly user: Holder | undefined };

/**
 * The state of a ticket at `now`. A ticket of a removed or disabled user is invalid. States that are final are checked
 * before `suspended`, so that no ticket becomes valid again after it has ended.
 */
export function stateOf(
  { ticket, user, serverGeneration }: TicketAndOwner,
  now: number,
  lifetime: Lifetime,
): TicketState {
  if (user === undefined || user.disabled) return 'invalid';
  if (ticket.userGeneration < user.generation || ticket.serverGeneration < serverGeneration) return 'invalid';
  // Times in the future come from a clock that was ahead: such a use counts as a use of now, and such a ticket is valid unless
  // its issue is further ahead than the greatest age.
  if (now - ticket.usedAt >= lifetime.idle || Math.abs(now - ticket.issuedAt) >= lifetime.age)
    return 'expired';
  const outlivesLock = lifetime.throughLockOut === true && !isLockedByHand(user);
  return isLockedFor(user, now, lifetime) && !outlivesLock ? 'suspended' : 'valid';
}

/** The limits of a user's live tickets. */
export interface TicketLimits {
  readonly lifetime: Lifetime;
  /** The most live tickets of a user; 0 for any number. */
  readonly perUser: number;
  readonly whenFull: 'replace-oldest' | 'refuse';
}

/** The digests of the tickets of a user that are live at `now`, in the same order. */
export function liveAmong(
  tickets: readonly KeptTicket[],
  user: Holder,
  serverGeneration: number,
  now: number,
  lifetime: Lifetime,
): Digest[] {
  return tickets.flatMap((ticket) =>
    stateOf({ ticket, user, serverGeneration }, now, lifetime) === 'valid' ? [ticket.digest] : [],
  );
}

/** Whether the user is locked out at `now`, with the lock-out duration in `lifetime`. */
export function isLockedFor(
  user: Pick<Holder, 'lockedUntil'>,
  now: number,
  { lockoutDuration = Number.POSITIVE_INFINITY }: Lifetime,
): boolean {
  return isLocked(user, now, longestLock(lockoutDuration));
}

/**
 * When a ticket ends, in epoch milliseconds, if it is used at `now` and never again. It is computed from the times that the
 * store has after that use. `Infinity` if all limits are off.
 */
export function endOf(ticket: KeptTicket, now: number, lifetime: Lifetime): number {
  const usedAt = useIsDue(ticket, now, lifetime) ? now : ticket.usedAt;
  return Math.min(usedAt + lifetime.idle, ticket.issuedAt + lifetime.age);
}

/** Whether a use at `now` must be written: if the written one is older than a tenth of the inactivity time. */
export function useIsDue(ticket: KeptTicket, now: number, lifetime: Lifetime): boolean {
  return now - ticket.usedAt > lifetime.idle / 10;
}

/** A name for an error message: masked if it contains a ticket. */
export function maskedIfTicket(name: string): string {
  return /TICKET_/i.test(name) ? '***' : name;
}
