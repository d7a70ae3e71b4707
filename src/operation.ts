import type { Static, TObject, TSchema } from 'typebox';
import type { Api } from './api.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import type { RegisteredClient } from './domain/client.ts';
import type { Node, NodeReference } from './domain/node.ts';
import type { ConstraintSource } from './domain/parameter-constraint.ts';
import type { Refusal, RefusalCode } from './domain/refusal.ts';
import type { Role } from './domain/role.ts';
import type { ServerIdentity } from './domain/server-identity.ts';
import type { Digest, HeldTicket, KeptTicket, Ticket, WhyDead } from './domain/ticket.ts';
import type { Holder, User } from './domain/user.ts';
import type { Passwords, Verified } from './identity/verifier.ts';
import type { MaybePromise } from './maybe-promise.ts';
import type { Format, Representation } from './representations/representation.ts';
import type { TicketShown } from './representations/ticket.ts';
import type { ReadUnit, WriteUnit } from './storage/store.ts';

/**
 * Who may call: `service.md` section 5, and registered clients (RFC 6749 section 2.3.1). `guest` is anybody who asks with the
 * argument `guest=true`, otherwise a user; the answer is the same for all.
 */
export type Authentication = 'none' | 'guest' | 'user' | 'client';

/** Whether an operation reads or writes in its transaction, or has none. */
export type Access = 'none' | 'read' | 'write';

/** The `access` values that are allowed at this level. The type of a wrong one says why, in the compiler's error. */
type AccessAt<A extends Authentication, W extends Access> = [A, W] extends [Exclude<A, 'none'>, 'none']
  ? W & { readonly 'the caller is known in a transaction only: access is read or write': never }
  : W;

/** The parts of a request that an operation reads. Each is checked against its schema before the operation runs. */
export interface InputSchemas {
  readonly path?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
}

type InputOf<I extends InputSchemas> = {
  readonly [K in keyof I]: I[K] extends TObject ? Static<I[K]> : never;
};

/**
 * The caller, confirmed in the operation's own transaction: by the presented ticket, with the row found for it, or by a
 * user name and a password.
 */
export type Caller =
  | { readonly user: Holder; readonly presented: Ticket; readonly held: HeldTicket }
  | { readonly user: Holder; readonly presented?: undefined; readonly held?: undefined };

/** A new ticket as it is stored, and its user. */
interface Issued {
  readonly ticket: KeptTicket;
  readonly user: Holder;
  /** Whether no password was asked for. Such logins are counted in the events, not listed one by one. */
  readonly withoutPassword?: boolean;
}

/** A success: the value to show, and what the gate records for it. */
export interface Answer<V> {
  readonly value: V;
  readonly issued?: Issued;
  /** A ticket that this operation found live. The gate records it as used. */
  readonly validated?: HeldTicket;
  /** Why the ticket in question is not live, if that is a successful answer. Only the events show it. */
  readonly dead?: WhyDead;
  readonly ended?: HeldTicket;
  /** Its status, if it is the one of `alsoAnswers`. */
  readonly status?: 422;
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

/** An answer with this value. */
export function answer<const V>(value: V, booked: Omit<Answer<V>, 'value'> = {}): Answer<V> {
  return { value, ...booked };
}

/** Who calls an operation at level `user`. */
interface UserContext {
  readonly caller: Caller;
  /** Whether `name` is the caller's user name. Case counts only if the setting says so. */
  isCaller(name: string): boolean;
}

/**
 * What `prepare` may use: slow or remote work, outside the transaction. Who calls, and the highest role of that user, may
 * have changed when the transaction begins.
 */
type Preparation<I extends InputSchemas, A extends Authentication> = {
  readonly input: InputOf<I>;
  readonly passwords: Passwords;
  /** Returns the action definitions and the content model in force. */
  currentCatalogue(): Catalogue;
  readonly constraints: ConstraintSource;
} & (A extends 'user' ? UserContext & { readonly role: Role | undefined } : unknown);

interface ReadTools {
  readonly store: ReadUnit;
  /** The live ticket for this text, or why it is not one. */
  find(ticket: string): MaybePromise<HeldTicket | { readonly dead: WhyDead }>;
  /** When the ticket ends if it is used now and never again, in epoch milliseconds. Undefined if no limit is set. */
  endOf(held: HeldTicket): number | undefined;
}

interface WriteTools extends Omit<ReadTools, 'store'> {
  readonly store: WriteUnit;
  /** Confirms the verified user in this transaction and issues a ticket to it. */
  issue(verified: Verified): Promise<LoggedIn | Refusal<'login_failed'>>;
  /** The verified user as it is in this transaction; undefined if the verification no longer holds. */
  confirm(verified: Verified): Promise<User | undefined>;
}

/** Everything that an operation can use while it runs. */
export type OperationContext<I extends InputSchemas, P, A extends Authentication, W extends Access> = {
  readonly input: InputOf<I>;
  readonly prepared: P;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Returns the action definitions and the content model in force. */
  currentCatalogue(): Catalogue;
  /** Every operation that the service serves. */
  readonly operations: readonly AnyOperation[];
  /** What the service calls itself. */
  readonly identity: ServerIdentity;
  /** The base path that the caller used. */
  readonly basePath: string;
  /** The client's address, as events tell it. */
  readonly address: string;
  /** The node that the call is about, see `scopedTo`. */
  readonly node: Node | undefined;
  /** The caller's preferred one of these languages; the first one if the caller accepts none of them. */
  languageAmong(languages: readonly string[]): string | undefined;
  digestOf(ticket: Ticket): Digest;
  /** The key by which the store finds the user of this name. */
  keyOf(name: string): string;
} & (A extends 'user'
  ? UserContext & {
      /** Whether users see the profiles and groups of all users (`TESSERA_PEOPLE_VISIBLE`). */
      readonly allPeopleVisible: boolean;
    }
  : A extends 'client'
    ? { readonly client: RegisteredClient }
    : unknown) &
  (W extends 'write' ? WriteTools : W extends 'read' ? ReadTools : unknown);

/** An operation: its attributes as in the specification, then what it does. Everything else is derived from them. */
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
  /** The API that it belongs to. Without one it is a web script, below the base paths in the settings. */
  readonly api?: Api;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path templates below each base path. `{name}` takes one segment, or several if its schema is a list. */
  readonly paths: readonly `/${string}`[];
  /**
   * Whether a proxy asks it about requests to another service. It then answers any method, at its paths and at every
   * path below them. It ignores the rest of the path and the query, `format` included: they are for the other service.
   */
  readonly anyRequest?: true;
  /** The same operation that also gives the caller's name as it is, in this header (`TESSERA_GATE_USER_HEADER`). */
  namingIn?(header: string): AnyOperation;
  readonly authentication: A;
  /**
   * Whether it accepts tickets only: first the one in `Authorization`, then `alf_ticket` in the URI that a trusted
   * proxy passes on (`TESSERA_GATE_URI_HEADER`). No password is looked at, so no call costs a hash.
   */
  readonly ticketsOnly?: true;
  /**
   * Whether it is about the presented ticket. If `alf_ticket` is given, the header is ignored: it may hold another
   * ticket.
   */
  readonly aboutPresented?: true;
  readonly transaction: W extends 'none' ? 'none' : 'required';
  readonly access: AccessAt<A, W>;
  /** `any`: by extension or by argument `format`; `argument`: by argument only. */
  readonly formatStyle: 'any' | 'argument';
  readonly defaultFormat: Format;
  /**
   * Where a login takes its password from. A login refuses requests that another site's page sent. Passwords in the URL
   * are counted, and `TESSERA_LOGIN_GET` switches them off (`wire.md` section 3).
   */
  readonly takesPassword?: 'url' | 'body';
  /** Whether it refuses requests that another site's page sent: a browser may add a password to them by itself. */
  readonly refusesCrossSite?: true;
  /** Whether clients may cache its answers and revalidate them (`ETag`, 304). */
  readonly revalidated?: true;
  /** The format of its body if it is not JSON: a form (RFC 6749 appendix B). */
  readonly bodyStyle?: 'form';
  /** Which form arguments stand for which members of the JSON body. */
  readonly formMembers?: Readonly<Record<string, string>>;
  /** Whether it describes the service itself. `TESSERA_INDEX` sets who may read that (`wire.md` section 9). */
  readonly describes?: true;
  /** Whether its page runs a script of this service. Other pages run none. */
  readonly runsScript?: true;
  readonly input: I;
  /** The status of its answers, if it is not 200. */
  readonly answers?: 200 | 201 | 204;
  /** The status of answers that say no: they have the same shape. */
  readonly alsoAnswers?: 422;
  readonly output: Representation<V>;
  /**
   * Its own refusals, and the ones that the gate gives only for logins. Refusals that the gate or HTTP give for other
   * operations too are not listed.
   */
  readonly refusals: readonly C[];
  /** The node that a call is about, by the path template of the call. The gate looks it up. */
  scopedTo?(input: InputOf<I>, template: string): NodeReference | undefined;
  prepare?(preparation: Preparation<I, A>): Promise<P | Refusal<NoInfer<C>>>;
  perform(context: OperationContext<I, P, A, W>): MaybePromise<Answer<V> | Refusal<NoInfer<C>>>;
}

/** The part of a descriptor that callers need. It stays a literal type, which the client reads. */
export interface Spoken<M extends Operation['method'], T extends `/${string}`, S extends TSchema> {
  readonly method: M;
  readonly paths: readonly T[];
  readonly output: { readonly schema: S };
}

/**
 * Types a descriptor. An undeclared refusal, a caller without authentication, or a write in a reading operation does
 * not compile.
 */
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

/** Any operation, for code that treats all alike. Only the gate runs one. */
export type AnyOperation = Omit<Operation<InputSchemas, never>, 'scopedTo' | 'prepare' | 'perform'> & {
  scopedTo?(input: never, template: string): NodeReference | undefined;
  prepare?(preparation: never): Promise<unknown>;
  perform(context: never): MaybePromise<Answer<unknown> | Refusal>;
};
