import { setTimeout as pause } from 'node:timers/promises';
import type { History } from '../histories/record.ts';
import { until } from '../service/until.ts';
import type { Expected } from '../upgrades/old-store.ts';
import { changeOf, PASSWORDS } from './administrator.ts';
import type { Book } from './book.ts';
import type { Member } from './fleet.ts';
import { UserAgent } from './user-agent.ts';

/** Milliseconds that a client rests between two rounds. */
const REST = 20;
const REST_WHEN_REFUSED = 100;
/** How many of the tickets that were issued last are validated again and again. */
const LATEST = 4;

type NamedPassword = readonly [name: string, password: string];
type Act = Parameters<typeof changeOf>[0];

const ADMINISTRATOR = 'admin';
const NEW_PASSWORD = PASSWORDS[1];

/**
 * Clients of a store that an older version recorded. They call every instance from before it listens: one validates its tickets there,
 * and each user logs in, validates and logs out. {@link changeAll} ends the recorded tickets in several ways meanwhile.
 */
export class OldStoreLoad {
  readonly #members: readonly Member[];
  readonly #expected: Expected;
  readonly #book: Book;
  readonly #history: History;
  /** The passwords that each user has or had, with the names that the history has for them. The last one is most likely right. */
  readonly #passwords = new Map<string, NamedPassword[]>();
  readonly #issued: string[] = [];
  readonly #found = new Set<string>();
  readonly #clients: readonly Promise<void>[];
  #stopped = false;

  constructor(members: readonly Member[], expected: Expected, book: Book, history: History) {
    this.#members = members;
    this.#expected = expected;
    this.#book = book;
    this.#history = history;
    this.#recordPast();
    book.begin();
    const users = [...this.#passwords.keys()].filter((user) => user !== ADMINISTRATOR);
    this.#clients = [
      ...members.map((member) => this.#watch(member)),
      ...users.map((user, at) => this.#use(user, at)),
    ];
  }

  /**
   * Once each ticket that has to be valid was found valid: a log-out, a new password, a disabled user, all tickets of a user, a lock,
   * and at last all tickets of all. Resolves when every instance has answered for a while after each of them.
   */
  async changeAll(pace: number): Promise<void> {
    const { live, passwords } = this.#expected;
    const [[loggedOut, ticket], [changed], [disabled]] = Object.entries(live) as [string, string][] &
      Record<0 | 1 | 2, [string, string]>;
    const others = Object.keys(passwords).filter((user) => !(user in live) && user !== ADMINISTRATOR);
    const [ended, locked] = others as [string, string];
    const [barred] = this.#barred() as [string];
    await this.#until('each recorded ticket is valid', () =>
      Object.values(live).every((t) => this.#found.has(t)),
    );
    const holder = this.#agent(loggedOut);
    await this.#until('a log-out', async () => (await holder.logOut(this.#alive(), ticket)) !== undefined);
    const acts: readonly (readonly [Act, string])[] = [
      ['password', changed],
      ['disable', disabled],
      ['end-all', ended],
      ['enable', barred],
      ['lock', locked],
      ['enable', disabled],
      ['unlock', locked],
      ['generation', ''],
    ];
    for (const [act, user] of acts) {
      if (this.#stopped) return;
      await this.#change(act, user);
      await this.#answers(pace);
    }
  }

  /** Ends once every client has its last answer. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#clients);
  }

  /** Waits until it is so, or this is stopped. */
  #until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    return until(what, () => this.#stopped || isSo());
  }

  #agent(client: string, from?: string): UserAgent {
    return new UserAgent(this.#book, this.#history, client, from === undefined ? {} : { from });
  }

  /** Users whose only password is refused: they are disabled. */
  #barred(): string[] {
    const { refused, passwords } = this.#expected;
    return Object.keys(refused).filter((user) => !(user in passwords));
  }

  /** What the old version did, as far as it is known: its tickets, passwords and revocations. */
  #recordPast(): void {
    const { live, dead, passwords, refused } = this.#expected;
    const by = { client: 'before', place: 'the old version' };
    const texts = [...new Set([...Object.values(refused), ...Object.values(passwords)])];
    const named = (password: string): NamedPassword => [`recorded ${texts.indexOf(password)}`, password];
    for (const [user, password] of [...Object.entries(refused), ...Object.entries(passwords)]) {
      const all = this.#passwords.get(user) ?? [];
      all.push(named(password));
      this.#passwords.set(user, all);
      this.#history.call({ ...by, act: 'password', user, password: named(password)[0] }).returned('yes');
    }
    for (const user of this.#barred()) this.#history.call({ ...by, act: 'disable', user }).returned('yes');
    for (const [user, ticket] of Object.entries(live))
      this.#history.call({ ...by, act: 'login', user }).returned('yes', ticket);
    for (const ticket of dead) {
      this.#history.call({ ...by, act: 'login', user: 'somebody' }).returned('yes', ticket);
      this.#history.call({ ...by, act: 'log-out', ticket }).returned('yes');
    }
  }

  /** Validates at one instance the recorded tickets and the latest ones. */
  async #watch(member: Member): Promise<void> {
    const agent = this.#agent(`at ${member.name}`);
    const recorded = [...Object.values(this.#expected.live), ...this.#expected.dead];
    while (!this.#stopped) {
      for (const ticket of [...recorded, ...this.#issued.slice(-LATEST)])
        if ((await agent.validate(member, ticket)) === 'yes') this.#found.add(ticket);
      await pause(REST);
    }
  }

  /** Logs a user in at one instance, and validates at the next. Logs out there of every second ticket. */
  async #use(user: string, at: number): Promise<void> {
    const agent = this.#agent(user, `127.${at + 1}.0.1`);
    for (let round = at; !this.#stopped; round++) {
      const [first, second] = [this.#member(round), this.#member(round + 1)];
      const passwords = this.#passwords.get(user) as NamedPassword[];
      const [password] = passwords as [NamedPassword];
      const login = await agent.logIn(first, user, password);
      if (login?.answer === 'no') passwords.push(passwords.shift() as NamedPassword);
      await pause(login?.answer === 'no' ? REST_WHEN_REFUSED : REST);
      if (login?.ticket === undefined) continue;
      this.#issued.push(login.ticket);
      // A log-out that nobody took would leave open what became of the ticket.
      const isThere = (await agent.validate(second, login.ticket)) !== undefined;
      if (isThere && round % 2 === 0 && (await agent.logOut(second, login.ticket)) === 'yes')
        await agent.validate(first, login.ticket);
    }
  }

  /** Performs this as the administrator of the old store, with a new ticket each time. */
  async #change(act: Act, user: string): Promise<void> {
    const agent = this.#agent('administrator');
    const [password] = this.#passwords.get(ADMINISTRATOR) as [NamedPassword];
    if (act === 'password') this.#passwords.get(user)?.push(NEW_PASSWORD);
    await this.#until(`${act} ${user}`, async () => {
      const login = await agent.logIn(this.#alive(), ADMINISTRATOR, password);
      if (login?.ticket === undefined) return false;
      return agent.change(this.#alive(), ...changeOf(act, user, 1, login.ticket));
    });
  }

  /** Waits until each instance has answered so often after now. */
  async #answers(times: number): Promise<void> {
    const { length } = this.#history.intervals;
    const counted = (place: string) =>
      this.#history.intervals.slice(length).filter((each) => each.place === place && each.answer).length;
    await this.#until('each instance answers', () =>
      this.#members.every(({ name }) => counted(name) >= times),
    );
  }

  #member(turn: number): Member {
    return this.#members[turn % this.#members.length] as Member;
  }

  /** Any of the instances that listen. */
  #alive(): Member {
    const alive = this.#members.filter((member) => member.alive);
    return (alive[Math.floor(Math.random() * alive.length)] ?? this.#members[0]) as Member;
  }
}
