import { setTimeout as pause } from 'node:timers/promises';
import { DIRECTORY, type ExternalIdentity } from '../../core/domain/external-identity.ts';
import type { Store } from '../../core/storage/store.ts';
import { provisionExternalUser } from '../people/external-user.ts';
import { disableExternalUser, type ExternalUserRules } from '../people/rules/external-users.ts';
import type { Directory } from './directory.ts';
import { DirectoryUnavailable } from './options.ts';
import type { DirectoryPerson } from './person.ts';

/** What the rechecks work with. */
interface RecheckParts {
  readonly directory: Directory;
  readonly store: Store;
  readonly rules: ExternalUserRules;
  /** Milliseconds within which every user is checked again. */
  readonly every: number;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly warn: (message: string) => void;
  readonly onFault: (fault: unknown) => void;
}

/** A user of the directory, and the person there; undefined if it is not found. */
interface Checked {
  readonly identity: ExternalIdentity;
  readonly person: DirectoryPerson | undefined;
}

/** How many users are read, or written, at a time. */
const PAGE = 200;
/** A round begins after this share of the period, so that it ends within the period. */
const DUE = 0.8;
/** How many times in a period it tests whether a round is due, and the shortest pause between two tests, in milliseconds. */
const LOOKS = 10;
const SHORTEST_PAUSE = 100;
/** The reasons in the events. */
const GONE = 'not in the directory any more';
const STATES = { disabled: 'disabled in the directory', expired: 'account expired in the directory' };

/**
 * Asks the directory about all its users periodically. A user who is disabled, expired or gone there is disabled here, which
 * ends its tickets; a user who is enabled there again may log in. Updates names and profiles, and the groups of users with live
 * tickets. Several instances on one store do not repeat each other's rounds.
 */
export class DirectoryRecheck {
  readonly #parts: RecheckParts;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor(parts: RecheckParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { every, onFault } = this.#parts;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      // The directory reports its silent servers itself.
      await this.round().catch((fault: unknown) => {
        if (!(fault instanceof DirectoryUnavailable) && !signal.aborted) onFault(fault);
      });
      await pause(Math.max(SHORTEST_PAUSE, every / LOOKS), undefined, { signal, ref: false }).catch(
        () => undefined,
      );
    }
  }

  /** Checks all users of the directory, if one is due. Throws `DirectoryUnavailable`, and then disables no user. */
  async round(): Promise<void> {
    const { store, every, clock } = this.#parts;
    const now = clock();
    const due = await store.read((unit) => unit.externalIdentities.due(DIRECTORY, now - every * DUE, 0, 1));
    if (due.length === 0) return;
    const all = await this.#askAboutAll();
    const believesGone = this.#believesGone(all);
    for (let from = 0; from < all.length; from += PAGE) {
      this.#stopping.signal.throwIfAborted();
      const some = all.slice(from, from + PAGE);
      await this.#disable(
        some.filter(({ person }) => person !== undefined || believesGone),
        now,
      );
      for (const { identity, person } of some)
        if (person !== undefined) await this.#update(identity, person, now);
      const ids = some.map(({ identity }) => identity.userId);
      await store.write((unit) => unit.externalIdentities.setChecked(ids, now));
    }
  }

  async #askAboutAll(): Promise<readonly Checked[]> {
    const { store, directory } = this.#parts;
    const all: Checked[] = [];
    for (let after = 0; ; ) {
      const page = await store.read((unit) =>
        unit.externalIdentities.due(DIRECTORY, Number.MAX_SAFE_INTEGER, after, PAGE),
      );
      const people = await directory.ofSubjects(page.map(({ subject }) => subject));
      all.push(...page.map((identity) => ({ identity, person: people.get(identity.subject) })));
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return all;
      after = last.userId;
      this.#stopping.signal.throwIfAborted();
    }
  }

  /**
   * Whether the users who were not found are gone. If more than half are missing at once, it is more likely that the base, the
   * filter or the rights of the account are wrong: disabling them would end the tickets of all users.
   */
  #believesGone(all: readonly Checked[]): boolean {
    const active = all.filter(({ identity }) => !identity.disabledThere);
    const missing = active.filter(({ person }) => person === undefined).length;
    if (missing < 2 || missing <= active.length / 2) return true;
    this.#parts.warn(
      `the directory does not find ${missing} of its ${active.length} users any more, so none of them is disabled: ` +
        'check the base and the filter for users and what the account may see; if they are gone, disable them here',
    );
    return false;
  }

  /** Disables the users who may no longer log in, in one write. */
  async #disable(checked: readonly Checked[], now: number): Promise<void> {
    const barred = checked.flatMap(({ identity, person }) => {
      const why = person === undefined ? GONE : whyBarred(person);
      return why === undefined || identity.disabledThere ? [] : [{ identity, why }];
    });
    if (barred.length === 0) return;
    await this.#parts.store.write(async (unit) => {
      for (const { identity, why } of barred) {
        const { events } = await disableExternalUser(unit, identity.userId, why);
        for (const event of events) await unit.events.append({ at: now, ...event });
      }
    });
  }

  async #update({ userId }: ExternalIdentity, person: DirectoryPerson, now: number): Promise<void> {
    if (whyBarred(person) !== undefined) return;
    const { store, directory, rules } = this.#parts;
    const { subject, name, profile } = person;
    // For all others, the next login reads the groups.
    const hasTickets = (await store.read((unit) => unit.tickets.countOf(userId))) > 0;
    const groups = hasTickets ? await directory.groupsOf(person) : undefined;
    await provisionExternalUser(store, { provider: DIRECTORY, subject, name, profile, groups }, rules, {
      at: now,
    });
  }
}

function whyBarred({ state }: DirectoryPerson): string | undefined {
  return state === 'disabled' || state === 'expired' ? STATES[state] : undefined;
}
