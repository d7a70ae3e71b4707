import type { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { Digest, HeldTicket, KeptTicket } from '../../domain/ticket.ts';
import type { Holder } from '../../domain/user.ts';
import type { Tickets, Users } from '../store.ts';
import type { Commits } from './commits.ts';

/** Tickets that are kept in memory at most, and users. */
const MOST = 32_768;

const keyOf = (digest: Digest) => digest.toString('latin1');

/**
 * The tickets that were looked up lately, with their users, kept in memory for as long as the database is known to be
 * unchanged: what another process commits empties it, and what this one commits takes out what was changed.
 */
export class HeldTickets {
  readonly #commits: Commits;
  readonly #lookUp: (digest: Digest) => HeldTicket | undefined;
  /** Changes whenever another connection than the writing one has committed. */
  readonly #foreignCommits: () => unknown;
  readonly #tickets = new LRUCache<string, KeptTicket>({ max: MOST });
  readonly #users = new LRUCache<number, Holder>({ max: MOST });
  #serverGeneration = 0;
  #foreign: unknown;
  /** What the units of this process change, until they are committed. */
  readonly #changed = { tickets: new Set<string>(), users: new Set<number>(), all: false };

  constructor(commits: Commits, lookUp: (digest: Digest) => HeldTicket | undefined, writing: DatabaseSync) {
    this.#commits = commits;
    this.#lookUp = lookUp;
    const version = writing.prepare('PRAGMA data_version');
    version.setReturnArrays(true);
    this.#foreignCommits = () => (version.get() as unknown as [number])[0];
  }

  /** The ticket as the last commit left it. */
  find(digest: Digest): HeldTicket | undefined {
    if (!this.#commits.unchanged()) this.#clear();
    const key = keyOf(digest);
    const ticket = this.#tickets.get(key);
    const user = ticket && this.#users.get(ticket.userId);
    if (ticket !== undefined && user !== undefined)
      return { ticket, user, serverGeneration: this.#serverGeneration };
    const held = this.#lookUp(digest);
    if (held === undefined) return undefined;
    this.#tickets.set(key, held.ticket);
    this.#users.set(held.user.id, held.user);
    this.#serverGeneration = held.serverGeneration;
    return held;
  }

  /** To be called once the writing connection has its transaction. */
  begun(): void {
    if (!this.#commits.unchanged()) this.#clear();
    this.#foreign = this.#foreignCommits();
  }

  /** To be called as soon as that transaction is committed, before anything is looked up. */
  committed(): void {
    this.#commits.unchanged();
    const { tickets, users, all } = this.#changed;
    if (all || this.#foreignCommits() !== this.#foreign) this.#clear();
    for (const key of tickets) this.#tickets.delete(key);
    for (const id of users) this.#users.delete(id);
    tickets.clear();
    users.clear();
    this.#changed.all = false;
  }

  /** The tickets of a unit that writes, whose changes are noted here. */
  notingTickets(tickets: Tickets): Tickets {
    const note = (digest: Digest) => this.#changed.tickets.add(keyOf(digest));
    return {
      ...tickets,
      end(digest) {
        note(digest);
        return tickets.end(digest);
      },
      use(digest, at) {
        note(digest);
        return tickets.use(digest, at);
      },
      raiseServerGeneration: () => {
        this.#changed.all = true;
        return tickets.raiseServerGeneration();
      },
    };
  }

  /** The users of a unit that writes, whose changes are noted here. */
  notingUsers(users: Users): Users {
    const note = (id: number) => this.#changed.users.add(id);
    return {
      ...users,
      change(id, change) {
        note(id);
        return users.change(id, change);
      },
      remove(id) {
        note(id);
        return users.remove(id);
      },
    };
  }

  #clear(): void {
    this.#tickets.clear();
    this.#users.clear();
  }
}
