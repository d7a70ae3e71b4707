import { PASSWORD } from '../service/start.ts';
import type { Answer, Question } from './asking.ts';
import type { Book } from './book.ts';
import type { Member } from './fleet.ts';
import type { Entry, Ledger } from './ledger.ts';

/** Where a ticket is validated or ended by its holder. */
export const pathOf = (ticket: string) => `/api/login/ticket/${ticket}?alf_ticket=${ticket}`;

/** Logs in, validates and logs out, and holds each answer to what was acknowledged so far. */
export class UserAgent {
  readonly #book: Book;
  readonly #ledger: Ledger;

  constructor(book: Book, ledger: Ledger) {
    this.#book = book;
    this.#ledger = ledger;
  }

  /** The new ticket; nothing where the login was put off or not answered: whether there is one is not known. */
  async logIn(instance: Member, user: string): Promise<Entry | undefined> {
    const body = JSON.stringify({ username: user, password: PASSWORD });
    const answer = await this.#ask(instance, { method: 'POST', path: '/api/login', body });
    if (answer === undefined) return undefined;
    if (answer.status !== 200) {
      this.#book.faulty(`login at ${instance.name}: ${shown(answer)}`);
      return undefined;
    }
    this.#book.acknowledged('logins');
    return this.#ledger.loggedIn(JSON.parse(answer.text).data.ticket);
  }

  /** Whether the logout was acknowledged. Once it was put off or not answered, the ticket is neither live nor dead. */
  async logOut(instance: Member, entry: Entry): Promise<boolean> {
    entry.state = 'ending';
    const answer = await this.#ask(instance, { method: 'DELETE', path: pathOf(entry.ticket) });
    if (answer === undefined) return false;
    if (answer.status !== 200) {
      this.#book.contradicted(`logout at ${instance.name} of ${life(entry)}: ${shown(answer)}`);
      return false;
    }
    this.#book.acknowledged('logouts');
    this.#ledger.loggedOut(entry);
    return true;
  }

  /** What an instance says of a ticket; nothing where it says neither. */
  async validate(instance: Member, entry: Entry): Promise<'live' | 'dead' | undefined> {
    const before = entry.state;
    const answer = await this.#ask(instance, { path: pathOf(entry.ticket) });
    if (answer === undefined) return undefined;
    const { status } = answer;
    const said = status === 200 ? 'live' : status === 401 || status === 404 ? 'dead' : undefined;
    const asked = `ticket at ${instance.name}, ${life(entry)}`;
    if (said === undefined) this.#book.faulty(`${asked}: ${shown(answer)}`);
    // A logout that began meanwhile may have come first.
    else if (said === 'dead' ? entry.state === 'live' : before === 'dead')
      this.#book.contradicted(`${asked}: ${shown(answer)}`);
    else this.#book.answered();
    return said;
  }

  /** An answer to be judged; nothing where there is none, or one that says when to come again. */
  async #ask(instance: Member, question: Question): Promise<Answer | undefined> {
    const { line } = instance;
    const answer = await line.ask(question);
    if (answer === undefined) this.#book.silence(!instance.alive || instance.line !== line);
    else if (answer.status !== 503) return answer;
    else if (answer.retryAfter) this.#book.putOff();
    else this.#book.faulty(`503 without Retry-After from ${instance.name}`);
    return undefined;
  }
}

const shown = ({ status, text }: Answer) =>
  `${status} ${text
    .replace(/TICKET_\w+/g, 'TICKET_…')
    .replace(/\s+/g, ' ')
    .slice(0, 160)}`;

function life({ state, issuedAt, endedAt }: Entry): string {
  const ago = (then: number) => `${Date.now() - then} ms ago`;
  const ended = endedAt === undefined ? state : `logged out ${ago(endedAt)}`;
  return `issued ${ago(issuedAt)}, ${ended}`;
}
