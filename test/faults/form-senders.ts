import assert from 'node:assert/strict';
import type { EventKind } from '../../src/core/domain/event.ts';
import type { Store } from '../../src/core/storage/store.ts';
import { Visitor } from '../faces/pages/browse.ts';
import { PASSWORD } from '../service/start.ts';

/** How many people send forms at a time. */
const SENDERS = 8;

/** The people who send forms on pages. */
export const SENDER_NAMES = Array.from({ length: SENDERS }, (_, sender) => `sender-${sender}`);

const ADD = '/portal/account/app-passwords/add';
const REMOVE = '/portal/account/app-passwords/remove';

/** The forms of one round in their order, each by the event that its change writes. */
const FORMS = ['login', 'app-password-added', 'app-password-removed', 'logout'] as const;
type SentForm = (typeof FORMS)[number] & EventKind;

/** Counts of forms, by the events of their changes. */
type FormCounts = Readonly<Record<SentForm, number>>;

const countsBy = (count: (form: SentForm) => number): FormCounts =>
  Object.fromEntries(FORMS.map((form) => [form, count(form)])) as FormCounts;

/**
 * People with a browser who sign in, make an app password, remove it and sign out, each by the form of its page, until they are
 * stopped. Each page has to be answered, and each form by what it leads to.
 */
export class FormSenders {
  /** The forms whose answer says that their change was performed. */
  readonly #answered: Record<SentForm, number> = { ...countsBy(() => 0) };
  /** What became of each page or form that was not answered so. */
  readonly faults: string[] = [];
  readonly #sending: Promise<unknown>;
  #stopped = false;

  constructor(url: string) {
    this.#sending = Promise.all(SENDER_NAMES.map((name) => this.#send(url, name)));
  }

  get answered(): FormCounts {
    return this.#answered;
  }

  /** Ends once everybody has the last answer. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#sending;
  }

  async #send(url: string, name: string): Promise<void> {
    for (let round = 0; !this.#stopped; round++)
      await this.#round(new Visitor({ url }), name, `device ${round}`).catch(({ message }: Error) =>
        this.faults.push(`${new Date().toISOString()} ${name}: ${message.slice(0, 200)}`),
      );
  }

  async #round(visitor: Visitor, username: string, name: string): Promise<void> {
    await this.#expect('login', 303, visitor.post('/portal/login', { username, password: PASSWORD }));
    await this.#expect('app-password-added', 200, visitor.send(ADD, ADD, { name }));
    const question = `${REMOVE}?${new URLSearchParams({ name })}`;
    await this.#expect('app-password-removed', 303, visitor.send(question, REMOVE));
    await this.#expect('logout', 303, visitor.send('/portal/account', '/portal/logout'));
  }

  async #expect(form: SentForm, status: number, answer: Promise<Response>): Promise<void> {
    const response = await answer;
    const text = await response.text();
    assert.equal(response.status, status, `${form}: ${response.status} ${text.replace(/\s+/g, ' ')}`);
    this.#answered[form] += 1;
  }
}

/** How often each change was performed for these people, as the events tell. */
export async function performedIn(store: Store): Promise<FormCounts> {
  const events = await store.read((unit) => unit.events.list({}));
  const own = events.filter(({ user }) => SENDER_NAMES.includes(user ?? ''));
  return countsBy((form) => own.filter(({ kind }) => kind === form).length);
}
