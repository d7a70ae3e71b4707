import type { Answer, History, Operation } from '../histories/record.ts';
import type { Answer as HttpAnswer, Question } from './asking.ts';
import type { Book } from './book.ts';
import type { Member } from './fleet.ts';

/** Where a ticket is validated or ended by its holder. */
export const pathOf = (ticket: string) => `/api/login/ticket/${ticket}?alf_ticket=${ticket}`;

/** What a status says; any other one is wrong, but for a 503 that says when to come again. */
type Meaning = Readonly<Record<number, Answer>>;

const OF_LOGIN: Meaning = { 200: 'yes', 403: 'no' };
const OF_TICKET: Meaning = { 200: 'yes', 401: 'no', 404: 'no' };
const OF_CHANGE: Meaning = { 204: 'yes' };

/** How an operation was answered, and the ticket that a login returned. */
interface Outcome {
  readonly answer: Answer;
  readonly ticket: string | undefined;
}

/** How a client asks. */
export interface Manner {
  /** The address that it asks from. Few logins of one address may wait, so clients that log in much have their own. */
  readonly from?: string;
  /**
   * Whether its user is refused at times. If such a failure cannot be written, the user has to wait for minutes, as promised: a
   * 503 is then no sign that the service has not recovered.
   */
  readonly isRefused?: boolean;
}

/** One client. It records what it does, and counts how it was answered. */
export class UserAgent {
  readonly #book: Book;
  readonly #history: History;
  readonly #client: string;
  readonly #manner: Manner;

  constructor(book: Book, history: History, client: string, manner: Manner = {}) {
    this.#book = book;
    this.#history = history;
    this.#client = client;
    this.#manner = manner;
  }

  /** Undefined if the login was put off or not answered: whether there is a ticket is not known. */
  async logIn(
    instance: Member,
    username: string,
    [name, password]: readonly [name: string, password: string],
  ): Promise<Outcome | undefined> {
    const body = JSON.stringify({ username, password });
    const operation = { act: 'login', user: username, password: name } as const;
    const outcome = await this.#do(
      instance,
      operation,
      { method: 'POST', path: '/api/login', body },
      OF_LOGIN,
    );
    if (outcome?.answer === 'yes') this.#book.acknowledged('logins');
    return outcome;
  }

  /** Undefined if the log-out was put off or not answered: it may have happened. */
  async logOut(instance: Member, ticket: string): Promise<Answer | undefined> {
    const question: Question = { method: 'DELETE', path: pathOf(ticket) };
    const outcome = await this.#do(instance, { act: 'log-out', ticket }, question, OF_TICKET);
    if (outcome?.answer === 'yes') this.#book.acknowledged('logouts');
    return outcome?.answer;
  }

  /** What an instance says of a ticket; undefined if it says neither yes nor no. */
  async validate(instance: Member, ticket: string): Promise<Answer | undefined> {
    const outcome = await this.#do(
      instance,
      { act: 'validate', ticket },
      { path: pathOf(ticket) },
      OF_TICKET,
    );
    return outcome?.answer;
  }

  /** Performs an operation of administration; returns whether it was acknowledged. */
  async change(instance: Member, operation: Operation, question: Question): Promise<boolean> {
    return (await this.#do(instance, operation, question, OF_CHANGE)) !== undefined;
  }

  async #do(
    instance: Member,
    operation: Operation,
    question: Question,
    meaning: Meaning,
  ): Promise<Outcome | undefined> {
    const call = this.#history.call({ ...operation, client: this.#client, place: instance.name });
    const response = await this.#ask(instance, question);
    if (response === undefined) return undefined;
    const answer = meaning[response.status];
    if (answer === undefined) {
      this.#book.faulty(`${operation.act} at ${instance.name}: ${shown(response)}`);
      return undefined;
    }
    const isIssued = operation.act === 'login' && answer === 'yes';
    const ticket: string | undefined = isIssued ? JSON.parse(response.text).data.ticket : undefined;
    call.returned(answer, ticket);
    this.#book.answered();
    return { answer, ticket };
  }

  /** Undefined if there is no answer, or one that says when to come again. */
  async #ask(instance: Member, question: Question): Promise<HttpAnswer | undefined> {
    const { line } = instance;
    const answer = await line.ask({ ...question, from: this.#manner.from });
    if (answer === undefined) this.#book.silence(!instance.alive || instance.line !== line);
    else if (answer.status !== 503) return answer;
    else if (answer.retryAfter) this.#book.putOff(!this.#manner.isRefused);
    else this.#book.faulty(`503 without Retry-After from ${instance.name}`);
    return undefined;
  }
}

const shown = ({ status, text }: HttpAnswer) =>
  `${status} ${text
    .replace(/TICKET_\w+/g, 'TICKET_…')
    .replace(/\s+/g, ' ')
    .slice(0, 160)}`;
