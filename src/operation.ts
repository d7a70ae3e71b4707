import type { Static, TObject, TSchema } from 'typebox';
import type { Api } from './api.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import type { RegisteredClient } from './domain/client.ts';
import type { Node, NodeReference } from './domain/node.ts';
import type { Refusal, RefusalCode } from './domain/refusal.ts';
import type { ServerIdentity } from './domain/server-identity.ts';
import type { Digest, HeldTicket, KeptTicket, Ticket, WhyDead } from './domain/ticket.ts';
import type { Holder } from './domain/user.ts';
import type { Passwords, Verified } from './identity/verifier.ts';
import type { MaybePromise } from './maybe-promise.ts';
import type { Format, Representation } from './representations/representation.ts';
import type { TicketShown } from './representations/ticket.ts';
import type { ReadUnit, WriteUnit } from './storage/store.ts';

/** Who may call: `service.md` section 5, and registered clients (RFC 6749 section 2.3.1). */
export type Authentication = 'none' | 'user' | 'client';

/** Whether an operation reads or writes in its transaction, or has none. */
export type Access = 'none' | 'read' | 'write';

/** What may be `access` at this level: the error of the compiler says why, where it may not. */
type AccessAt<A extends Authentication, W extends Access> = [A, W] extends ['user' | 'client', 'none']
  ? W & { readonly 'the caller is known in a transaction only: access is read or write': never }
  : W;

/** The parts of a request that an operation reads, each checked against its schema before it runs. */
export interface InputSchemas {
  readonly path?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
}

type InputOf<I extends InputSchemas> = {
  readonly [K in keyof I]: I[K] extends TObject ? Static<I[K]> : never;
};

/**
 * Who calls, confirmed in the operation's own transaction: by the ticket that was presented, with what it was found as,
 * or by a user name and password.
 */
export type Caller =
  | { readonly user: Holder; readonly presented: Ticket; readonly held: HeldTicket }
  | { readonly user: Holder; readonly presented?: undefined; readonly held?: undefined };

/** A new ticket, as it is kept, and whose it is. */
export interface Issued {
  readonly ticket: KeptTicket;
  readonly user: Holder;
  /** Whether no password was asked for: such logins are counted in the events, not told one by one. */
  readonly withoutPassword?: boolean;
}

/** A "yes": the value to show, and what the gate has to book for it. */
export interface Answer<V> {
  readonly value: V;
  readonly issued?: Issued;
  /** A ticket that this operation found live: counts as a use of it. */
  readonly validated?: HeldTicket;
  /** Why what was asked about is no live ticket, where that is an answer: for the events only. */
  readonly dead?: WhyDead;
  readonly ended?: HeldTicket;
  /** The language of its labels, where it has any. */
  readonly language?: string | undefined;
  /** Whether the same request never has another answer, of whichever version: clients keep it for a year. */
  readonly lasting?: boolean;
  /** Answers of one operation with the same key have the same body, which is then made once. */
  readonly sameAs?: string;
  /** Its body in content codings, for callers that accept them. */
  readonly compressed?: CompressedBody;
}

/** A body in each content coding that is offered. */
export interface CompressedBody {
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** The answer to a login: the new ticket, as its holder is shown it and as it is kept. */
export type LoggedIn = Answer<TicketShown> & { readonly issued: Issued };

/** An answer with this value. */
export function answer<const V>(value: V, booked: Omit<Answer<V>, 'value'> = {}): Answer<V> {
  return { value, ...booked };
}

/** What `prepare` may use: slow or remote work, outside the transaction. */
export interface Preparation<I extends InputSchemas> {
  readonly input: InputOf<I>;
  readonly passwords: Passwords;
}

interface ReadTools {
  readonly store: ReadUnit;
  /** The live ticket that `ticket` is now, or why it is none. */
  find(ticket: string): MaybePromise<HeldTicket | { readonly dead: WhyDead }>;
  /** When a ticket ends that is used now and not again, in epoch milliseconds; nothing where no limit is on. */
  endOf(held: HeldTicket): number | undefined;
}

interface WriteTools extends Omit<ReadTools, 'store'> {
  readonly store: WriteUnit;
  /** Confirms the verified user in this transaction and issues a ticket to it. */
  issue(verified: Verified): Promise<LoggedIn | Refusal<'login_failed'>>;
}

/** All that an operation can reach while it runs. */
export type OperationContext<I extends InputSchemas, P, A extends Authentication, W extends Access> = {
  readonly input: InputOf<I>;
  readonly prepared: P;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The action definitions and the content model in force. */
  readonly catalogue: Catalogue;
  /** Every operation that is served. */
  readonly operations: readonly AnyOperation[];
  /** What the service calls itself. */
  readonly identity: ServerIdentity;
  /** The base path that the caller used. */
  readonly basePath: string;
  /** The node that the call is scoped to. */
  readonly node: Node | undefined;
  /** Of the languages that there are, the one that the caller likes best; the first where it names none of them. */
  languageAmong(languages: readonly string[]): string | undefined;
  digestOf(ticket: Ticket): Digest;
} & (A extends 'user'
  ? {
      readonly caller: Caller;
      /** Whether `name` is the caller's user name. It compares as the store does: by case only where that is set. */
      isCaller(name: string): boolean;
    }
  : A extends 'client'
    ? { readonly client: RegisteredClient }
    : unknown) &
  (W extends 'write' ? WriteTools : W extends 'read' ? ReadTools : unknown);

/** An operation: its table in the specification, then what it does. Everything else is read from here. */
export interface Operation<
  I extends InputSchemas = InputSchemas,
  V = unknown,
  C extends RefusalCode = RefusalCode,
  P = unknown,
  A extends Authentication = Authentication,
  W extends Access = Access,
> {
  /** `org/service/repository/` and the file's path below `operations/`. */
  readonly id: `org/service/repository/${string}`;
  readonly summary: string;
  readonly lifecycle: 'public_api';
  readonly family: string;
  /** The API that it belongs to; without one it is a web script, below the base paths that are set. */
  readonly api?: Api;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path templates below each base path; `{name}` takes one segment, or several where its schema is a list. */
  readonly paths: readonly `/${string}`[];
  /**
   * Whether it stands for requests to another service: it answers to any method, at its paths and at every path below
   * them, and reads neither what stands below nor the query (`format` among it), which mean something to that one only.
   */
  readonly anyRequest?: true;
  readonly authentication: A;
  /**
   * Whether tickets alone are credentials: first that in `Authorization`, then `alf_ticket` in the URI that a trusted
   * proxy tells (`TESSERA_GATE_URI_HEADER`). Nothing that costs a hash is looked at.
   */
  readonly ticketsOnly?: true;
  /** Whether it is about the ticket that is presented: beside an `alf_ticket` the header, which may hold another, is not looked at. */
  readonly aboutPresented?: true;
  readonly transaction: W extends 'none' ? 'none' : 'required';
  readonly access: AccessAt<A, W>;
  /** `any`: by extension or by argument `format`; `argument`: by argument only. */
  readonly formatStyle: 'any' | 'argument';
  readonly defaultFormat: Format;
  /**
   * Where a login takes its password. A login refuses callers that a foreign web page sent; a password in the URL
   * is counted, and switched off by `TESSERA_LOGIN_GET` (`wire.md` section 3).
   */
  readonly takesPassword?: 'url' | 'body';
  /** Whether clients may keep its answers and ask whether they still hold (`ETag`, 304). */
  readonly revalidated?: true;
  /** How its body is written, where that is not JSON: as a form (RFC 6749 appendix B). */
  readonly bodyStyle?: 'form';
  /** The arguments of a form that stand for members of its JSON body. */
  readonly formMembers?: Readonly<Record<string, string>>;
  /** Whether it tells of the service itself: who may read that is set by `TESSERA_INDEX` (`wire.md` section 9). */
  readonly describes?: true;
  /** Whether its page runs a script of this service; pages run none otherwise. */
  readonly runsScript?: true;
  readonly input: I;
  /** The status of its answers, where it is not 200. */
  readonly answers?: 200 | 201 | 204;
  readonly output: Representation<V>;
  /** Its own refusals, and what the gate refuses of logins alone; what it and HTTP refuse of others too is not listed. */
  readonly refusals: readonly C[];
  /** The node that a call is scoped to, by the path template that it came by. Looked up by the gate. */
  scopedTo?(input: InputOf<I>, template: string): NodeReference | undefined;
  prepare?(preparation: Preparation<I>): Promise<P | Refusal<NoInfer<C>>>;
  perform(reach: OperationContext<I, P, A, W>): MaybePromise<Answer<V> | Refusal<NoInfer<C>>>;
}

/** What a descriptor says to those who only speak to its operation: kept as literal types, which the client reads. */
export interface Spoken<M extends Operation['method'], T extends `/${string}`, S extends TSchema> {
  readonly method: M;
  readonly paths: readonly T[];
  readonly output: { readonly schema: S };
}

/** Types a descriptor: an undeclared refusal, a caller without authentication or a write in a reading operation does not compile. */
export function operation<
  const I extends InputSchemas,
  V,
  const C extends RefusalCode,
  const A extends Authentication,
  const W extends Access,
  const M extends Operation['method'],
  const T extends `/${string}`,
  S extends TSchema,
  P = undefined,
>(descriptor: Operation<I, V, C, P, A, W> & Spoken<M, T, S>): Operation<I, V, C, P, A, W> & Spoken<M, T, S> {
  return descriptor;
}

/** Any operation, as those see it that treat all alike. Only the gate runs one. */
export type AnyOperation = Omit<Operation<InputSchemas, never>, 'scopedTo' | 'prepare' | 'perform'> & {
  scopedTo?(input: never, template: string): NodeReference | undefined;
  prepare?(preparation: never): Promise<unknown>;
  perform(reach: never): MaybePromise<Answer<unknown> | Refusal>;
};
