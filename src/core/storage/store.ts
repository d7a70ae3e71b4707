import type { RegisteredClient } from '../domain/client.ts';
import type { Counter } from '../domain/lockout.ts';
import type { Digest, HeldTicket, KeptTicket, TicketOrigin } from '../domain/ticket.ts';
import type { Holder, User } from '../domain/user.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { Events, EventsRead } from './events.ts';
import type {
  ApiKeys,
  ApiKeysRead,
  Groups,
  GroupsRead,
  Profiles,
  ProfilesRead,
  Roles,
  RolesRead,
  UserFilter,
  UserOrder,
  UserPlace,
} from './people.ts';

/**
 * Where everything is kept. What each engine promises:
 * - Absence is `undefined`; engines invent no refusals. What they cannot answer they throw as {@link StoreUnavailable}.
 * - A read unit sees committed state only, statement by statement, with no snapshot across statements.
 * - A write unit is all or nothing. When `write` resolves, what it wrote survives a crash and every later unit
 *   of every instance sees it; when `work` throws, nothing of it is kept and the error is passed on.
 * - `work` awaits nothing but the unit's own methods: other units are waiting for their turn. An engine may run `work`
 *   again after a conflict with another instance, so `work` changes nothing outside the unit.
 */
export interface Store {
  read<T>(work: (unit: ReadUnit) => MaybePromise<T>): Promise<T>;
  write<T>(work: (unit: WriteUnit) => Promise<T>): Promise<T>;
  /** Closes the store after the units under way. Later units throw {@link StoreUnavailable}; closing it again does nothing. */
  close(): Promise<void>;
}

/** Thrown when storage cannot answer: busy past its deadline, full, read-only, broken or closed. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

/** What a read unit of every store has. */
export interface CoreReadUnit {
  readonly users: UsersRead;
  readonly tickets: TicketsRead;
  readonly attempts: AttemptsRead;
  readonly events: EventsRead;
  readonly clients: ClientsRead;
  readonly profiles: ProfilesRead;
  readonly groups: GroupsRead;
  readonly roles: RolesRead;
  readonly apiKeys: ApiKeysRead;
}

/** A read unit. Each capability adds its tables: it declares them as further members of this interface. */
export interface ReadUnit extends CoreReadUnit {
  readonly ticketParents: TicketParentsRead;
}

/** What a write unit can lock as a whole. */
export type LockedSet = 'users' | 'groups';

/** What a write unit of every store has. */
export interface CoreWriteUnit {
  readonly users: Users;
  readonly tickets: Tickets;
  readonly attempts: Attempts;
  readonly events: Events;
  readonly clients: Clients;
  readonly profiles: Profiles;
  readonly groups: Groups;
  readonly roles: Roles;
  readonly apiKeys: ApiKeys;
  /**
   * Does `work` as a part of the unit that may fail alone: its fault undoes this part only, and is returned. The rest of
   * the unit goes on.
   */
  aside(work: () => Promise<void>): Promise<unknown>;
  /**
   * Locks these sets until the unit ends: meanwhile no other write unit adds, renames or removes a user, or changes groups, their
   * members or their nesting.
   */
  lock(...sets: readonly LockedSet[]): Promise<void>;
}

/** A write unit, with the tables of the capabilities. */
export interface WriteUnit extends CoreWriteUnit {
  readonly ticketParents: TicketParents;
}

export interface UsersRead {
  find(id: number): Promise<User | undefined>;
  findByKey(key: string): Promise<User | undefined>;
  /** The users whose names have this {@link lookalikeKey} without regard to case, sorted by key. A user that an older version added is found only if that is its key. */
  lookalikes(lookalike: string): Promise<User[]>;
  /** The user at this share (from 0 to below 1) of the ids up to the last one, or the next user that exists. */
  near(share: number): Promise<User | undefined>;
  /** Sorted by key. */
  list(): Promise<User[]>;
  /** Up to `limit` users after `after`, in the order of `list`. */
  page(after: Pick<User, 'key'> | undefined, limit: number): Promise<User[]>;
  /** Up to `limit` users by ascending ids, without the first `skipped` ones. The cost grows with `skipped`, as an index is read. */
  pageByNumber(skipped: number, limit: number): Promise<User[]>;
  /**
   * Up to `limit` users that pass the filter, after `after`, in this order. Without an order: by ascending ids if a `part` is all
   * that the filter has, otherwise sorted by key. In a write unit, a `part` may miss users whom the unit itself added.
   */
  search(filter: UserFilter, after: UserPlace | undefined, limit: number, order?: UserOrder): Promise<User[]>;
  count(): Promise<number>;
  /**
   * How many users pass the filter: `most` if there are more. Undefined if that would take long: many users have the `part`, and
   * few of them may pass the rest of the filter.
   */
  countUpTo(most: number, filter: UserFilter): Promise<number | undefined>;
  /** Up to `limit` ids of users of whom something was revoked at `at` or later, as {@link Users.noteRevocation} was told. */
  revokedSince(at: number, limit: number): Promise<number[]>;
  /** Whether a user of this key was ever removed; true for ever after, even when the name is added again. */
  wasRemoved(key: string): Promise<boolean>;
  /** Whether the keys of these users keep the case of names; undefined until it is set. */
  namesCaseSensitive(): Promise<boolean | undefined>;
  /**
   * An id for this database, since all databases give out the same user ids. A copied database has the same one. A restored one has
   * another, and tells that of its backup, too: `ID~LAST~OLD`, where `LAST` is the greatest user id that the backup knew.
   */
  databaseId(): Promise<string>;
}

/** The changes that a user can have. */
export type UserChange = Partial<
  Pick<
    User,
    | 'administrator'
    | 'passwordHash'
    | 'disabled'
    | 'lockedUntil'
    | 'generation'
    | 'mustChangePassword'
    | 'provider'
    | 'hasSecondFactor'
    | 'secondFactorAskedAt'
    | 'lastLoginAt'
  >
>;

/** In a write unit `list`, `count`, `lookalikes` and `wasRemoved` lock the set of users, present and removed, until the unit ends. */
export interface Users extends UsersRead {
  /** As in read units, and locks the user until the unit ends. */
  find(id: number): Promise<User | undefined>;
  /** The new user with an id that no user ever had; undefined when the key is taken. */
  add(user: Omit<User, 'id'>): Promise<User | undefined>;
  change(id: number, change: UserChange): Promise<void>;
  /** Gives the user another name and its key; returns false, and changes nothing, when another user has the key. */
  rename(id: number, name: string, key: string): Promise<boolean>;
  /** Keeps when something of the user was last revoked, in epoch milliseconds; never an earlier time than before. */
  noteRevocation(id: number, at: number): Promise<void>;
  /** Removes the user with its profile, role, memberships, credentials and familiar addresses, and remembers the key. Its tickets are dead from then on. */
  remove(id: number): Promise<void>;
  setNamesCaseSensitive(sensitive: boolean): Promise<void>;
}

export interface TicketsRead {
  /**
   * The ticket with its user and the server's generation, in one look-up; no promise where the engine has it in memory. What is revoked is
   * seen at once, but the last use may be older than another instance has written it: an engine may have a ticket in memory, and reads it
   * again if it does not pass.
   */
  find(digest: Digest, passes?: (heldTicket: HeldTicket) => boolean): MaybePromise<HeldTicket | undefined>;
  /** The user's tickets, live or not, oldest first. */
  listOf(userId: number): Promise<KeptTicket[]>;
  /** How many tickets of the user are kept, live or not. */
  countOf(userId: number): Promise<number>;
  /**
   * Up to `limit` tickets after `after`, which may have ended, in an order that never changes. Call this in read units: in a
   * write unit the tickets that it issued or ended itself may be missing.
   */
  page(after: TicketPlace | undefined, limit: number): Promise<TicketOnPage[]>;
  /** The origin of each of these tickets, in their order; undefined if it is not known, or the ticket has ended. */
  originsOf(tickets: readonly IssuedTicket[]): Promise<(TicketOrigin | undefined)[]>;
  serverGeneration(): Promise<number>;
}

/** A ticket, as its origin is found. */
export type IssuedTicket = Pick<KeptTicket, 'digest' | 'issuedAt'>;

/** The position of a ticket in the order of `page`. */
export type TicketPlace = Pick<KeptTicket, 'userId' | 'digest'>;

/** A kept ticket with its user, if the user still exists. */
export interface TicketOnPage {
  readonly ticket: KeptTicket;
  readonly user: Holder | undefined;
}

export interface Tickets extends TicketsRead {
  /**
   * Keeps a new ticket and returns the digest that it is kept under: the ticket's own, or the last one that `redraw`
   * gave. `redraw` gives another digest each time; an engine calls it where another digest is looked up quicker.
   */
  issue(ticket: KeptTicket, redraw?: () => Digest): Promise<Digest>;
  /** Keeps where a ticket that this unit has issued was issued, until it ends. Call it once for a ticket. */
  setOrigin(ticket: IssuedTicket, origin: TicketOrigin): Promise<void>;
  /** As `find`, but first it locks the user and the ticket until the unit ends: another unit that ends the ticket waits. */
  hold(digest: Digest): Promise<HeldTicket | undefined>;
  /** Ends the ticket, and the tickets whose parent it is; returns whether there was one. */
  end(digest: Digest): Promise<boolean>;
  /** Moves the last use forward to `at`; never back, and never for a ticket that has ended. */
  use(digest: Digest, at: number): Promise<void>;
  /**
   * Moves the ticket from the generation before to this one of its user, so that it survives the change that raises the
   * user's generation in the same unit. A ticket of any other generation stays where it is: it has ended, perhaps while the unit waited
   * for the user.
   */
  moveToGeneration(digest: Digest, userGeneration: number): Promise<void>;
  /** Ends every ticket issued so far; returns the new generation. */
  raiseServerGeneration(): Promise<number>;
}

export interface TicketParentsRead {
  /** What the ticket ends with; undefined if it ends by itself. */
  parentOf(ticket: Digest): Promise<Digest | undefined>;
  /** The tickets that end with this session or ticket, in the order of their digests. Some may have ended already. */
  childrenOf(parent: Digest): Promise<Digest[]>;
  /** When the sweeper checks the ticket, or the session that ended; undefined if neither is kept. */
  checkedAt(digest: Digest): Promise<number | undefined>;
  /** Up to `limit` tickets that were to be checked before this time, in epoch milliseconds. */
  due(before: number, limit: number): Promise<Digest[]>;
}

/** What tickets end with. Parents are digests: of a session at an identity provider, or of another ticket. */
export interface TicketParents extends TicketParentsRead {
  /**
   * Notes what a new ticket ends with, and when the sweeper checks whether the ticket is still there. A session that ended stands in
   * place of both; a second call for it makes the time later, or nothing.
   */
  put(ticket: Digest, parent: Digest, checkedAt: number): Promise<void>;
  /** Has the sweeper check the ticket at another time. */
  postpone(ticket: Digest, checkedAt: number): Promise<void>;
  remove(ticket: Digest): Promise<void>;
}

/** The key of a counter: an HMAC made by `identity/`, in hex. */
export type CounterKey = string;

/** The counters of an attempt to log in: of its name, of the name at its address and in its networks, of its address. */
export const COUNTERS = ['name', 'pair', 'subscriber', 'site', 'address'] as const;

/** The keys of these counters. The same `pair` means the same name and address. */
export type CounterKeys = Readonly<Record<(typeof COUNTERS)[number], CounterKey>>;

/** What `of` gives for each of the counters. */
export function eachCounter<T>(of: (which: keyof CounterKeys) => T): Record<keyof CounterKeys, T> {
  return Object.fromEntries(COUNTERS.map((which) => [which, of(which)])) as Record<keyof CounterKeys, T>;
}

/** An attempt to log in, as the store is asked about it. */
export interface LoginAttempt {
  /** Undefined for a name that cannot be anybody's. */
  readonly userKey: string | undefined;
  readonly address: string;
  readonly keys: CounterKeys;
}

/** Everything kept that decides over an attempt to log in. */
export interface StoredThrottleState {
  readonly user: User | undefined;
  readonly counters: Record<keyof CounterKeys, Counter | undefined>;
  /** When the user last logged in from the address, in epoch milliseconds. */
  readonly familiarSince: number | undefined;
}

export interface AttemptsRead {
  /**
   * The throttle state of an attempt, in one look-up. A read unit may pass the last result for the same attempt as `known`:
   * it is returned itself if the engine can tell that it is still valid. A write unit locks the user and the counters until
   * it ends.
   */
  throttleState(attempt: LoginAttempt, state?: StoredThrottleState): MaybePromise<StoredThrottleState>;
}

export interface Attempts extends AttemptsRead {
  /** `name` is the key of the name that the counter belongs to, if it belongs to one. */
  put(key: CounterKey, name: CounterKey | undefined, counter: Counter): Promise<void>;
  remove(key: CounterKey): Promise<void>;
  /** Removes every counter that belongs to this name. */
  removeOfName(name: CounterKey): Promise<void>;
  /** Keeps at most `most` counters. Evicts inactive counters first (at `now` they make no login wait), then the others, oldest first. */
  trim(most: number, now: number): Promise<void>;
  setFamiliar(userId: number, address: string, at: number): Promise<void>;
  forgetFamiliar(userId: number, address: string): Promise<void>;
  /** Removes up to `limit` familiar addresses with no login since `at`; returns how many. */
  sweepFamiliar(at: number, limit: number): Promise<number>;
}

export interface ClientsRead {
  find(name: string): Promise<RegisteredClient | undefined>;
  /** Sorted by name, in the order of code points. */
  list(): Promise<RegisteredClient[]>;
}

export interface Clients extends ClientsRead {
  /** Adds a client; returns false, and changes nothing, when the name is taken. */
  add(client: RegisteredClient): Promise<boolean>;
  /** Gives the client this digest of a secret, or none, in place of what it has; returns whether there is such a client. */
  setSecret(name: string, secretDigest: Buffer | undefined): Promise<boolean>;
  /** Removes the client, and what capabilities keep of it; returns whether there was one. */
  remove(name: string): Promise<boolean>;
}
