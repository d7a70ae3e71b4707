import type { Static, TObject, TSchema } from 'typebox';
import type { Answer, Caller, LoggedIn } from './answer.ts';
import { ADMIN, type Api } from './api.ts';
import type { BrowserContext } from './browser-context.ts';
import type { Actor, Arrival } from './domain/administration.ts';
import type { RegisteredClient } from './domain/client.ts';
import type { ChangeEvent } from './domain/event.ts';
import type { ProbeReadiness } from './domain/probe.ts';
import type { Refusal, RefusalCode } from './domain/refusal.ts';
import type { KeyRole, Role } from './domain/role.ts';
import type { RunningService } from './domain/running-service.ts';
import type { ServerIdentity } from './domain/server-identity.ts';
import type { Digest, HeldTicket, Ticket, TicketAndOwner, TicketState, WhyDead } from './domain/ticket.ts';
import type { Holder, PasswordPages, User } from './domain/user.ts';
import type { LockOuts } from './identity/lock-outs.ts';
import type { Passwords, Verified } from './identity/passwords.ts';
import type { MaybePromise } from './maybe-promise.ts';
import type { Format, Representation } from './representations/representation.ts';
import type { Settings } from './settings/table.ts';
import type { ReadUnit, WriteUnit } from './storage/store.ts';

/**
 * Who may call: a user (specification, section 5), a registered client (RFC 6749 section 2.3.1), or an administrator
 * (specification, section 16) by a live ticket of a user with the role, or by an API key with it. At level `guest`, the argument
 * `guest=true` replaces the credential of a user; the answer is the same for all callers.
 */
export type Authentication = 'none' | 'guest' | 'user' | 'client' | 'admin';

/** Whether an operation reads or writes in its transaction, or has none. */
export type Access = 'none' | 'read' | 'write';

/** The `access` values that are allowed at this level. The type of a wrong one says why, in the compiler's error. */
type AccessAt<A extends Authentication, W extends Access> = [A, W] extends [Exclude<A, 'none'>, 'none']
  ? W & { readonly 'the caller is known in a transaction only: access is read or write': never }
  : W;

/** Level `admin` names the least role that may call. No other level has one, and an auditor changes nothing. */
export type RoleAt<A extends Authentication, W extends Access> = A extends 'admin'
  ? { readonly role: W extends 'write' ? Exclude<KeyRole, 'auditor'> : KeyRole }
  : { readonly role?: undefined };

/** The events that an answer of a change at level `admin` must have. */
type ChangesAt<A extends Authentication, W extends Access> = [A, W] extends ['admin', 'write']
  ? { readonly changes: readonly ChangeEvent[] }
  : unknown;

/** The parts of a request that an operation reads. Each is checked against its schema before the operation runs. */
export interface InputSchemas {
  readonly path?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
}

/** The input of an operation with these schemas. */
export type InputOf<I extends InputSchemas> = {
  readonly [K in keyof I]: I[K] extends TObject ? Static<I[K]> : never;
};

/** An answer with this value. */
export function answer<const V>(value: V, booked: Omit<Answer<V>, 'value'> = {}): Answer<V> {
  return { value, ...booked };
}

/** The answer of an operation that changed this for a user or an administrator; nothing if all was so before. */
export function changed<const V>(value: V, changes: readonly ChangeEvent[]) {
  return { value, changes };
}

/** What capabilities give to every operation. Each declares its own members. */
// biome-ignore lint/suspicious/noEmptyInterface: other files declare its members.
export interface OperationTools {}

/** The node that a call is about. The capability that has nodes declares the members. */
// biome-ignore lint/suspicious/noEmptyInterface: another file declares its members.
export interface ScopeNode {}

/** How calls refer to their node, by kinds of reference. The capability that has nodes declares them. */
// biome-ignore lint/suspicious/noEmptyInterface: another file declares its members.
export interface ScopeReferences {}

/** A reference to the node that a call is about. */
export type ScopeReference = ScopeReferences[keyof ScopeReferences];

/** A decision about a request to another service, before its caller is known. The capability that has the rules declares the members. */
// biome-ignore lint/suspicious/noEmptyInterface: another file declares its members.
export interface RequestDecision {}

/** The caller of an operation at level `user`. */
interface UserContext {
  readonly caller: Caller;
  /** What the rules decide about the request that a proxy asks about; undefined without rules. */
  readonly decision: RequestDecision | undefined;
  /** The user whom the presented access token names; undefined with any other credential. */
  readonly verified: Verified | undefined;
  /** Whether `name` is the caller's user name. Case counts only if the setting says so. */
  isCaller(name: string): boolean;
}

/** What `prepare` may use, outside the transaction. The caller and its role may have changed when that begins. */
export type Preparation<I extends InputSchemas, A extends Authentication> = OperationTools & {
  readonly input: InputOf<I>;
  /** Of a page (`api: PORTAL`): the browser that asks; otherwise undefined. */
  readonly browser: Omit<BrowserContext, 'run'> | undefined;
  readonly passwords: Passwords;
  /** Whether sign-ins ask users for the second factor that they have. */
  readonly asksSecondFactor: boolean;
  /** The key by which the store finds the user of this name. */
  keyOf(name: string): string;
  readonly probeReadiness: ProbeReadiness;
} & (A extends 'user'
    ? UserContext & { readonly role: Role | undefined }
    : A extends 'admin'
      ? { readonly actor: Actor }
      : unknown);

interface ReadTools {
  readonly store: ReadUnit;
  /** The live ticket for this text, or why it is not one. */
  find(ticket: string): MaybePromise<HeldTicket | { readonly dead: WhyDead }>;
  /** When the ticket ends if it is used now and never again, in epoch milliseconds. Undefined if no limit is set. */
  endOf(heldTicket: HeldTicket): number | undefined;
}

interface WriteTools extends Omit<ReadTools, 'store'> {
  readonly store: WriteUnit;
  /** Confirms the verified user here and issues a ticket to it. `refusalFor` tells why a user gets none nevertheless. */
  issue(verified: Verified): Promise<LoggedIn | Refusal<'login_failed'>>;
  issue<R extends Refusal>(
    verified: Verified,
    refusalFor: (user: User) => R | undefined,
  ): Promise<LoggedIn | Refusal<'login_failed'> | R>;
  /** The verified user as it is in this transaction; undefined if the verification no longer holds. */
  confirm(verified: Verified): Promise<User | undefined>;
  /** A new app password, to be shown once, and the digest to store. */
  newAppPassword(): { readonly password: string; readonly digest: Buffer };
}

interface TicketStates {
  /** The state of a kept ticket now. */
  ticketState(ticket: TicketAndOwner): TicketState;
}

/** Everything that an operation can use while it runs. */
export type OperationContext<
  I extends InputSchemas,
  P,
  A extends Authentication,
  W extends Access,
> = OperationTools & {
  readonly input: InputOf<I>;
  readonly prepared: P;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Every operation that the service serves. */
  readonly operations: readonly AnyOperation[];
  /** What the service calls itself. */
  readonly identity: ServerIdentity;
  /** When the service started, in epoch milliseconds. */
  readonly startedAt: number;
  /** The base path that the caller used. */
  readonly basePath: string;
  /** The node that the call is about, see `scopedTo`. */
  readonly node: ScopeNode | undefined;
  /** The caller's preferred one of these languages; the first one if the caller accepts none of them. */
  languageAmong(languages: readonly string[]): string | undefined;
  /** Where users of a directory or of identity providers change their passwords. */
  readonly passwordPages: PasswordPages;
  /** Whether sign-ins ask users for the second factor that they have. */
  readonly asksSecondFactor: boolean;
  /** Of a page (`api: PORTAL`): the browser that asks; otherwise undefined. */
  readonly browser: BrowserContext | undefined;
  digestOf(ticket: Ticket): Digest;
  /** The key by which the store finds the user of this name. */
  keyOf(name: string): string;
} & (A extends 'user'
    ? UserContext & {
        /** Whether users see the profiles and groups of all users (`TESSERA_PEOPLE_VISIBLE`). */
        readonly allPeopleVisible: boolean;
      } & TicketStates
    : A extends 'client'
      ? { readonly client: RegisteredClient }
      : A extends 'admin'
        ? {
            readonly actor: Actor;
            /** Whether the user is locked out now. */
            isLocked(user: Pick<Holder, 'lockedUntil'>): boolean;
            /** A new API key, to be shown once, and the digest to store. */
            newApiKey(): { readonly key: string; readonly digest: Buffer };
            /** A new secret of a client, to be shown once, and the digest to store. */
            newClientSecret(): { readonly secret: string; readonly digest: Buffer };
            readonly lockOuts: Pick<LockOuts, keyof LockOuts>;
            /** This process of the service. */
            readonly service: RunningService;
            /** How the request arrived, if the operation `tellsArrival` and HTTP called it. */
            readonly arrival: Arrival | undefined;
          } & TicketStates
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
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path templates below each base path. `{name}` takes one segment, or several if its schema is a list. */
  readonly paths: readonly `/${string}`[];
  /**
   * Whether a proxy asks it about requests to another service. It then answers any method, at its paths and at every
   * path below them. It ignores the rest of the path and the query, `format` included: they are for the other service.
   */
  readonly anyRequest?: {
    /** Its answer about a request that the rules of the gate allow to every caller. The gate does not look for a caller. */
    readonly toPublic: Answer<unknown>;
    /** The same operation, which answers as the settings say. */
    servedWith(settings: Settings): AnyOperation;
  };
  readonly authentication: A;
  /** The least role that may call it, at level `admin`. */
  readonly role?: KeyRole | undefined;
  /** Whether it accepts tickets only: in `Authorization`, or in the URI that a trusted proxy passes on. No call costs a hash. */
  readonly ticketsOnly?: true;
  /** The operation that answers in its place, at the same paths, if the call presents an access token of a provider. */
  readonly exchange?: AnyOperation;
  /** Whether it is about the presented ticket. The header is ignored beside `alf_ticket`: it may hold another one. */
  readonly aboutPresented?: true;
  readonly transaction: W extends 'none' ? 'none' : 'required';
  readonly access: AccessAt<A, W>;
  /** `any`: by extension or by argument `format`; `argument`: by argument only. */
  readonly formatStyle: 'any' | 'argument';
  readonly defaultFormat: Format;
  /**
   * Where a login takes its password from; `provider`: an identity provider has taken it. A login refuses requests that another
   * site's page sent. Passwords in the URL are counted, and `TESSERA_LOGIN_GET` switches them off (specification, section 3).
   */
  readonly takesPassword?: 'url' | 'body' | 'provider';
  /** Whether it refuses requests from pages of other sites: a browser may add a password to them by itself. */
  readonly refusesCrossSite?: true;
  /** Whether clients may cache its answers and revalidate them (`ETag`, 304). */
  readonly revalidated?: true;
  /**
   * For a change: the GET at its path, whose `ETag` a caller sends as `If-Match`. The gate compares it, in the
   * transaction of the change, with what that GET would answer there.
   */
  readonly ifMatch?: AnyOperation;
  /**
   * Whether it answers with a stream. HTTP calls it again twice a second, with the `cursor` of its last answer as argument,
   * until the caller leaves or is refused.
   */
  readonly streams?: true;
  /** Whether it answers with a file in parts. HTTP calls it again with the `cursor` of its last answer, until it has none. */
  readonly downloads?: true;
  /** The format of its body if it is not JSON: a form (RFC 6749 appendix B). */
  readonly bodyStyle?: 'form';
  /** Which form arguments stand for which members of the JSON body. */
  readonly formMembers?: Readonly<Record<string, string>>;
  /** Whether its answer shows how the request arrived: from which address, and through which proxy. */
  readonly tellsArrival?: true;
  /** Whether it describes the service itself. `TESSERA_INDEX` sets who may read that (specification, section 9). */
  readonly describes?: true;
  /**
   * Of a page that takes a form, and shows it at the same path: the fields that a browser may keep if the sign-in ends while the
   * reader writes. Never a password, a code or another secret.
   */
  readonly keepsFields?: readonly string[];
  /** Whether its page runs a script of this service. Other pages run none. */
  readonly runsScript?: true;
  readonly input: I;
  /** The status of its answers, if it is not 200. */
  readonly answers?: 200 | 201 | 202 | 204;
  /** A second status, of answers that say no. They have the same shape. */
  readonly alsoAnswers?: 422;
  readonly output: Representation<V>;
  /** Its own refusals, and those of the gate for logins alone. What the gate or HTTP refuse of others too is not listed. */
  readonly refusals: readonly C[];
  /** The node that a call is about, by the path template of the call. The gate looks it up. */
  scopedTo?(input: InputOf<I>, template: string): ScopeReference | undefined;
  prepare?(preparation: Preparation<I, A>): Promise<P | Refusal<NoInfer<C>>>;
  perform(
    context: OperationContext<I, P, A, W>,
  ): MaybePromise<(Answer<V> & ChangesAt<A, W>) | Refusal<NoInfer<C>>>;
}

/** The part of a descriptor that callers need. It stays a literal type, which the client reads. */
export interface Spoken<M extends Operation['method'], T extends `/${string}`, S extends TSchema> {
  readonly method: M;
  readonly paths: readonly T[];
  readonly output: { readonly schema: S };
}

/**
 * Types a descriptor. An undeclared refusal, a caller without authentication, a write in a reading operation, level
 * `admin` without a role, or a change at that level that tells the events nothing does not compile.
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
>(
  descriptor: Operation<I, V, C, P, A, W> & Spoken<M, T, S> & RoleAt<A, W>,
): Operation<I, V, C, P, A, W> & Spoken<M, T, S> {
  return descriptor;
}

/** What all operations of administration have in common. */
const ADMINISTRATION = {
  lifecycle: 'public_api',
  family: 'Administration',
  api: ADMIN,
  authentication: 'admin',
  transaction: 'required',
  formatStyle: 'argument',
  defaultFormat: 'json',
} as const;

/** A GET of administration reads; everything else there writes. */
type AdminAccess<M extends Operation['method']> = M extends 'GET' ? 'read' : 'write';

/** Types the descriptor of an operation of administration (specification, section 16), see {@link operation}. */
export function adminOperation<
  const I extends InputSchemas,
  V,
  const C extends RefusalCode,
  const M extends Operation['method'],
  const T extends `/${string}`,
  S extends TSchema,
  P = undefined,
>(
  descriptor: Omit<Operation<I, V, C, P, 'admin', AdminAccess<M>>, keyof typeof ADMINISTRATION | 'access'> &
    Partial<Pick<Operation, 'defaultFormat'>> &
    Spoken<M, T, S> &
    RoleAt<'admin', AdminAccess<M>>,
): Operation<I, V, C, P, 'admin', AdminAccess<M>> & Spoken<M, T, S> {
  const access = descriptor.method === 'GET' ? 'read' : 'write';
  return { ...ADMINISTRATION, access, ...descriptor } as never;
}

/** Any operation, for code that treats all alike. Only the gate runs one. */
export type AnyOperation = Omit<Operation<InputSchemas, never>, 'scopedTo' | 'prepare' | 'perform'> & {
  scopedTo?(input: never, template: string): ScopeReference | undefined;
  prepare?(preparation: never): Promise<unknown>;
  perform(context: never): MaybePromise<Answer<unknown> | Refusal>;
};
