import type { ChangeEvent } from './domain/event.ts';
import type { HeldTicket, KeptTicket, Ticket, WhyDead } from './domain/ticket.ts';
import type { Holder } from './domain/user.ts';
import type { TicketShown } from './representations/ticket.ts';

/**
 * The caller, confirmed in the operation's own transaction: by the presented ticket, with the row found for it, or by a
 * user name and a password.
 */
export type Caller =
  | { readonly user: Holder; readonly presented: Ticket; readonly heldTicket: HeldTicket }
  | {
      readonly user: Holder;
      readonly presented?: undefined;
      readonly heldTicket?: undefined;
      /** The name of the app password, if it was one. */
      readonly appPassword?: string | undefined;
      /** Whether it was a credential that programs keep. */
      readonly isProgram?: boolean | undefined;
    };

/** A new ticket as it is stored, and its user. */
interface Issued {
  readonly ticket: KeptTicket;
  readonly user: Holder;
  /** What the event of the login tells of how the user signed in. */
  readonly loginReason?: string | undefined;
  /** Whether no password was asked for. Such logins are counted in the events, not listed one by one. */
  readonly withoutPassword?: boolean;
}

/** A cookie of the portal besides the ticket: a sealed state for a few minutes, for the host that set it alone. */
export interface BrowserCookie {
  /** What it is for, in lower case with hyphens. The browser knows it as `__Host-tessera-` and this name. */
  readonly name: string;
  /** Letters, digits, `-` and `_`; `none` has the browser forget the cookie. */
  readonly value: string | 'none';
  /** Seconds for which the browser keeps it; until the browser is closed, if absent. */
  readonly maxAge?: number;
}

/** A success: the value to show, and what the gate records for it. */
export interface Answer<V> {
  readonly value: V;
  readonly issued?: Issued;
  /** A ticket that this operation found live. The gate records it as used. */
  readonly validated?: HeldTicket;
  /** Of a stream or a download: the `cursor` with which HTTP calls the operation next; without one, a download is at its end. */
  readonly goesOnAt?: string;
  /** Why the ticket in question is not live, if that is a successful answer. Only the events show it. */
  readonly dead?: WhyDead;
  readonly ended?: HeldTicket;
  /** The changes that an operation at level `admin` made; empty if it changed nothing. The gate writes an event of each. */
  readonly changes?: readonly ChangeEvent[];
  /** The status `alsoAnswers` of the descriptor, if the answer says no. */
  readonly status?: 409 | 422;
  /** The address to which the browser goes next (303, RFC 9110 section 15.4.4): the answer then has no body. */
  readonly seeOther?: string;
  /** The ticket that the browser keeps in its cookie from now on, or `none` to forget the one that it has. */
  readonly cookie?: Ticket | 'none';
  /** Further cookies of the browser: to keep, or to forget. */
  readonly cookies?: readonly BrowserCookie[];
  /** The language of the labels in it, if there are any. */
  readonly language?: string | undefined;
  /** Whether the same request always gets this answer, in every version: clients keep it for a year. */
  readonly lasting?: boolean;
  /** Answers of one operation with the same key have the same body, so it is made only once. */
  readonly sameAs?: string;
  /** The body in content codings, for callers that accept them. */
  readonly compressed?: CompressedBody;
}

/** A body in each content coding that the service offers. */
export interface CompressedBody {
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** The answer to a login: the new ticket as the caller sees it, and as it is stored. */
export type LoggedIn = Answer<TicketShown> & { readonly issued: Issued };
