/** What can be told in the append-only event table. */
export type EventKind =
  | 'login'
  | 'login-refused'
  | 'password-accepted'
  | 'ticket-refused'
  | 'client-refused'
  | 'logout'
  | 'ticket-revoked'
  | 'expiry'
  | 'lock'
  | 'unlock'
  | 'user-added'
  | 'user-disabled'
  | 'user-enabled'
  | 'user-removed'
  | 'password-changed'
  | 'tickets-revoked'
  | 'client-added'
  | 'client-removed';

/** One event: who, from where, when. Holds no secret: a name that is no user's comes masked. */
export interface Event {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly kind: EventKind;
  /** The user that it is about. */
  readonly user?: string | undefined;
  /** The client address, or `command line`. */
  readonly from?: string | undefined;
  /** The first 8 digits of a ticket's digest. */
  readonly digest?: string | undefined;
  /** The true reason of a refusal, or what was changed; the name of the client where it is about one. */
  readonly reason?: string | undefined;
}

/** An event as it is read back. */
export interface RecordedEvent extends Event {
  readonly id: number;
  /** How many times it happened in one minute: above 1 only for refused tickets and clients, tries refused without hashing, and logins without a password. */
  readonly count: number;
}

/** The minute that an event is in: tries that were refused alike in one minute count as one event. */
export function minuteOf(at: number): number {
  return Math.floor(at / 60_000);
}

/** What the command line gives as the place that a change came from. */
export const COMMAND_LINE = 'command line';
