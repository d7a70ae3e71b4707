import type { RegisteredClient } from '../domain/client.ts';
import type { Event, RecordedEvent } from '../domain/event.ts';
import type { Counter } from '../domain/lockout.ts';
import type { Node } from '../domain/node.ts';
import type { Digest, HeldTicket, KeptTicket } from '../domain/ticket.ts';
import type { Holder, User } from '../domain/user.ts';
import type { MaybePromise } from '../maybe-promise.ts';

/**
 * Where everything is kept. What each engine promises:
 * - Absence is `undefined`; engines invent no refusals. What they cannot answer they throw as {@link StoreUnavailable}.
 * - A read unit sees committed state only, statement by statement, with no snapshot across statements.
 * - A write unit is all or nothing. When `write` resolves, what it wrote survives a crash and every later unit
 *   of every instance sees it; when `work` throws, nothing of it is kept and the error is passed on.
 * - Inside a unit nothing is awaited but the unit itself: others are waiting for their turn. An engine may run `work`
 *   again after a conflict with another instance, so it changes nothing but the unit.
 */
export interface Store {
  read<T>(work: (unit: ReadUnit) => MaybePromise<T>): Promise<T>;
  write<T>(work: (unit: WriteUnit) => Promise<T>): Promise<T>;
  /** Ends the store after the units under way. Later units throw {@link StoreUnavailable}; ending it again does nothing. */
  close(): Promise<void>;
}

/** Thrown when storage cannot answer: busy past its deadline, full, read-only, broken or closed. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

export interface ReadUnit {
  readonly users: UsersRead;
  readonly tickets: TicketsRead;
  readonly attempts: AttemptsRead;
  readonly events: EventsRead;
  readonly nodes: NodesRead;
  readonly clients: ClientsRead;
}

export interface WriteUnit {
  readonly users: Users;
  readonly tickets: Tickets;
  readonly attempts: Attempts;
  readonly events: Events;
  readonly nodes: Nodes;
  readonly clients: Clients;
  /**
   * Does `work` as a part that may fail alone: a fault in it undoes that part only, and is returned.
   * What cannot be written aside never spoils what it stands beside.
   */
  aside(work: () => Promise<void>): Promise<unknown>;
}

export interface UsersRead {
  find(id: number): Promise<User | undefined>;
  findByKey(key: string): Promise<User | undefined>;
  /** The user at this share (from 0 to below 1) of the ids up to the last, or the next one that is there. */
  near(share: number): Promise<User | undefined>;
  /** Sorted by key. */
  list(): Promise<User[]>;
  /** Up to `limit` users after `after`, in the order of `list`. */
  page(after: Pick<User, 'key'> | undefined, limit: number): Promise<User[]>;
  count(): Promise<number>;
  /** Whether a user of this key was ever removed; one that was stays so, also when the name is added again. */
  wasRemoved(key: string): Promise<boolean>;
  /** Whether names differ by case in the keys of these users; nothing as long as nobody has said so. */
  namesCaseSensitive(): Promise<boolean | undefined>;
  /** Tells these users from those of other databases, whose ids are the same. A copied database has the same one. */
  databaseId(): Promise<string>;
}

/** What can be changed of a user. */
export type UserChange = Partial<Pick<User, 'passwordHash' | 'disabled' | 'lockedUntil' | 'generation'>>;

/** In a write unit who there are, and who was removed, stays as it is read by `list`, `count` and `wasRemoved` until the unit ends. */
export interface Users extends UsersRead {
  /** As `find`; in a write unit the user stays as it is read until the unit ends. */
  find(id: number): Promise<User | undefined>;
  /** The new user with an id that no user ever had; nothing when the key is taken. */
  add(user: Omit<User, 'id'>): Promise<User | undefined>;
  change(id: number, change: UserChange): Promise<void>;
  /** Removes the user and its familiar addresses, and remembers the key. Its tickets are dead from then on, since its id is gone. */
  remove(id: number): Promise<void>;
  setNamesCaseSensitive(sensitive: boolean): Promise<void>;
}

export interface TicketsRead {
  /** The ticket with its user and the server's generation, in one look-up; at once where the engine has it at hand. */
  find(digest: Digest): MaybePromise<HeldTicket | undefined>;
  /** The user's tickets, live or not, oldest first. */
  listOf(userId: number): Promise<KeptTicket[]>;
  /** How many tickets of the user are kept, live or not. */
  countOf(userId: number): Promise<number>;
  /**
   * Up to `limit` tickets after `after`, which may have ended, in a steady order; a ticket whose user is gone has none.
   * To be walked in read units: in a write unit what that issued and ended itself may be missing.
   */
  page(after: TicketPlace | undefined, limit: number): Promise<TicketOnPage[]>;
  serverGeneration(): Promise<number>;
}

/** What tells where a ticket stands among all. */
export type TicketPlace = Pick<KeptTicket, 'userId' | 'digest'>;

/** A kept ticket with its user, if that is still there. */
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
  /** Whether there was such a ticket. Afterwards there is none. */
  end(digest: Digest): Promise<boolean>;
  /** Moves the written use forward to `at`; never back, and never for a ticket that has ended. */
  use(digest: Digest, at: number): Promise<void>;
  /** Makes every ticket issued so far dead, and returns the new generation. */
  raiseServerGeneration(): Promise<number>;
}

/** The key of a counter: an HMAC made by `identity/`, in hex. */
export type CounterKey = string;

/** The counters that a try stands under: of its name, of the name at its address and in its networks, of its address. */
export const COUNTERS = ['name', 'pair', 'subscriber', 'site', 'address'] as const;

/** The keys of these counters; all with the same `pair` are of the same name and address. */
export type CounterKeys = Readonly<Record<(typeof COUNTERS)[number], CounterKey>>;

/** What `of` gives for each of the counters. */
export function eachCounter<T>(of: (which: keyof CounterKeys) => T): Record<keyof CounterKeys, T> {
  return Object.fromEntries(COUNTERS.map((which) => [which, of(which)])) as Record<keyof CounterKeys, T>;
}

/** A try to log in, as the store is asked about it. */
export interface AskedTry {
  /** Missing for a name that cannot be anybody's. */
  readonly userKey: string | undefined;
  readonly address: string;
  readonly keys: CounterKeys;
}

/** All that is kept of what decides over a try. */
export interface StoredThrottleState {
  readonly user: User | undefined;
  readonly counters: Record<keyof CounterKeys, Counter | undefined>;
  /** When the address last logged the user in, or nothing. */
  readonly familiarSince: number | undefined;
}

export interface AttemptsRead {
  /**
   * In one look-up. Whoever asks about the same try again may say what is `known` from before, by a read unit of this
   * store: that itself is given where the engine can tell that nothing of it was changed.
   * In a write unit the user and the counters stay as they are read until the unit ends.
   */
  standing(asked: AskedTry, known?: StoredThrottleState): MaybePromise<StoredThrottleState>;
}

export interface Attempts extends AttemptsRead {
  /** `name` is the key of the name that the counter belongs to, if it belongs to one. */
  put(key: CounterKey, name: CounterKey | undefined, counter: Counter): Promise<void>;
  remove(key: CounterKey): Promise<void>;
  /** Removes every counter that belongs to this name. */
  removeOfName(name: CounterKey): Promise<void>;
  /** Keeps at most `most` counters: first those go that make nobody wait at `now`, each time the oldest first. */
  trim(most: number, now: number): Promise<void>;
  setFamiliar(userId: number, address: string, at: number): Promise<void>;
  forgetFamiliar(userId: number, address: string): Promise<void>;
  /** Forgets up to `limit` familiar addresses that were last seen before `at`, and tells how many it forgot. */
  sweepFamiliar(at: number, limit: number): Promise<number>;
}

/** Which events to read. */
export interface EventFilter {
  /** In whatever case: where names differ by case, whoever asks leaves the others out. */
  readonly user?: string;
  /** Epoch milliseconds, inclusive. */
  readonly since?: number;
  /** An event that was listed: what comes behind it, whatever `since` says. */
  readonly after?: EventPlace;
  /** How many at most. */
  readonly limit?: number;
}

/** What tells where an event stands among all. */
export type EventPlace = Pick<RecordedEvent, 'at' | 'id'>;

export interface EventsRead {
  /** Oldest first, those of one instant as they were appended. */
  list(filter: EventFilter): Promise<RecordedEvent[]>;
}

export interface Events extends EventsRead {
  append(event: Event): Promise<void>;
  /** Counts `times` more of the event onto the one row that its kind, user, place, reason and minute have. */
  tally(event: Event, times: number): Promise<void>;
  /** Removes up to `limit` events from before `at`, and tells how many it removed. */
  sweep(at: number, limit: number): Promise<number>;
}

/** Names are compared as they are kept: by their code units. A fresh store has the nodes of `WELL_KNOWN_NODES`. */
export interface NodesRead {
  find(store: string, id: string): Promise<Node | undefined>;
  /** The one node of the store that lies in no other. */
  root(store: string): Promise<Node | undefined>;
  /** The node of this name in another, found by an index: a path costs what it is deep. */
  child(store: string, parent: string, name: string): Promise<Node | undefined>;
  /** The node at the end of these names, of which the first is the root's and each next one lies in the one before it. */
  at(store: string, names: readonly string[]): Promise<Node | undefined>;
  hasChildren(store: string, id: string): Promise<boolean>;
  /** The nodes that lie in another, by name. */
  children(store: string, parent: string): Promise<Node[]>;
  /** Up to `limit` nodes after `after`, in a steady order. */
  page(after: Pick<Node, 'store' | 'id'> | undefined, limit: number): Promise<Node[]>;
}

export interface Nodes extends NodesRead {
  /** Adds the node, or puts it in the place of the one with its store and id. What may be put is decided in `nodes/`. */
  put(node: Node): Promise<void>;
  remove(store: string, id: string): Promise<void>;
}

export interface ClientsRead {
  find(name: string): Promise<RegisteredClient | undefined>;
  /** Sorted by name, in the order of code points. */
  list(): Promise<RegisteredClient[]>;
}

export interface Clients extends ClientsRead {
  /** Whether it was added: it is not when the name is taken, and the client of that name stays as it was. */
  add(client: RegisteredClient): Promise<boolean>;
  /** Whether there was such a client. Afterwards there is none. */
  remove(name: string): Promise<boolean>;
}
