import type { RequestOrigin } from './request-origin.ts';

/** The kinds of events in the append-only event table. */
export const EVENT_KINDS = [
  'login',
  'login-unfamiliar',
  'login-refused',
  'password-accepted',
  'ticket-refused',
  'client-refused',
  'logout',
  'ticket-revoked',
  'expiry',
  'lock',
  'unlock',
  'user-added',
  'user-disabled',
  'user-enabled',
  'user-removed',
  'user-renamed',
  'user-taken-over',
  'password-changed',
  'new-password-required',
  'new-password-waived',
  'second-factor-added',
  'second-factor-removed',
  'second-factor-reset',
  'recovery-codes-made',
  'recovery-code-used',
  'tickets-revoked',
  'client-added',
  'client-removed',
  'application-added',
  'application-changed',
  'application-removed',
  'application-disconnected',
  'signing-key-added',
  'signing-key-retired',
  'signing-key-removed',
  'profile-changed',
  'email-changed',
  'role-changed',
  'group-added',
  'group-changed',
  'group-removed',
  'group-joined',
  'group-left',
  'api-key-refused',
  'api-key-added',
  'api-key-removed',
  'app-password-added',
  'app-password-removed',
  'role-refused',
  'password-reset-requested',
  'user-invited',
  'mail-sent',
  'mail-failed',
  'mail-retried',
  'webhooks-retried',
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

/** Whether a text names a kind of events. */
export function isEventKind(text: string): text is EventKind {
  return (EVENT_KINDS as readonly string[]).includes(text);
}

/** One event: who, from where, when. It contains no secret: a name that is no user's is masked. */
export interface Event {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly kind: EventKind;
  /** The name of the user whom it is about. */
  readonly user?: string | undefined;
  /** Who did it, if it was another one: a user, `key:NAME` for an API key, or the system user who ran a command. */
  readonly actor?: string | undefined;
  /** The client address, or `command line`. */
  readonly from?: string | undefined;
  /** The program that called, as {@link RequestOrigin} has it. Of an event that counts, only if all calls had the same. */
  readonly program?: string | undefined;
  /** The first 8 digits of a ticket's digest. */
  readonly digest?: string | undefined;
  /** The true reason of a refusal, or what was changed; for an event about a registered client, its name. */
  readonly reason?: string | undefined;
}

/** The event of a change: whom and what. The caller of the rule adds who, when and from where. */
export type ChangeEvent = Omit<Event, 'at' | 'actor' | keyof RequestOrigin>;

/** An event that was read from the table. */
export interface RecordedEvent extends Event {
  readonly id: number;
  /**
   * How many times it happened in one minute. Above 1 only for refused tickets, clients, API keys and roles, attempts refused
   * without hashing, and logins without a password.
   */
  readonly count: number;
}

/** The minute of an event. Equal refusals in one minute are one event with a count. */
export function minuteOf(at: number): number {
  return Math.floor(at / 60_000);
}

/** The event of a row that counts a further call, which may have come from another program. */
export const countingAlso = <E extends Event>(row: E, { program }: Event): E =>
  row.program === program ? row : { ...row, program: undefined };

/** The `from` of events that the command line causes. */
export const COMMAND_LINE = 'command line';
