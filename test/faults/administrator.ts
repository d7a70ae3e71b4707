import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { API_KEY_BYTES } from '../../src/core/domain/api-key.ts';
import { newApiKey } from '../../src/core/identity/client-secret.ts';
import type { Operation } from '../histories/record.ts';
import { PASSWORD } from '../service/start.ts';
import type { Question } from './asking.ts';
import type { RoundRobin } from './fleet.ts';
import type { UserAgent } from './user-agent.ts';

/** The key of the administrator under load, and its digest for the store. */
export const { key: KEY, digest: KEY_DIGEST } = newApiKey(randomBytes(API_KEY_BYTES));

/** The passwords that a user has in turn, by the names that histories have for them. */
export const PASSWORDS = [
  ['first', PASSWORD],
  ['second', `another-${PASSWORD}`],
] as const;

/** Milliseconds between two changes. */
const REST = 150;
/** All tickets of all users end at one change of so many: the load has to go on. */
const GENERATION_EACH = 20;

/** What is done to each user in turn. */
const ACTS = ['end-all', 'lock', 'unlock', 'password', 'disable', 'enable'] as const;
type Act = (typeof ACTS)[number] | 'generation';

/**
 * A change, as histories call it and as the administrator asks for it. `password` is the place of the new one, `credential` an API key
 * or a ticket.
 */
export function changeOf(
  act: Act,
  user: string,
  password: 0 | 1,
  credential = KEY,
): readonly [Operation, Question] {
  const path = `/api/admin/users/${encodeURIComponent(user)}`;
  const headers = { authorization: `Bearer ${credential}` };
  const patch = (member: string, value: boolean): Question => ({
    method: 'PATCH',
    path,
    headers,
    body: JSON.stringify({ [member]: value }),
  });
  switch (act) {
    case 'end-all':
      return [
        { act, user },
        { method: 'DELETE', path: `${path}/tickets`, headers },
      ];
    case 'generation':
      return [{ act }, { method: 'DELETE', path: '/api/admin/tickets', headers }];
    case 'password': {
      const [name, text] = PASSWORDS[password];
      const body = JSON.stringify({ password: text, mustChangePassword: false });
      return [
        { act, user, password: name },
        { method: 'PUT', path: `${path}/password`, headers, body },
      ];
    }
    case 'lock':
    case 'unlock':
      return [{ act, user }, patch('locked', act === 'lock')];
    case 'disable':
    case 'enable':
      return [{ act, user }, patch('disabled', act === 'disable')];
  }
}

/** Ends tickets, locks, disables and gives passwords to these users until it is stopped. */
export class Administrator {
  readonly #fleet: RoundRobin;
  readonly #agent: UserAgent;
  readonly #changing: Promise<void>;
  #stopped = false;
  #changes = 0;

  constructor(fleet: RoundRobin, agent: UserAgent, users: readonly string[]) {
    this.#fleet = fleet;
    this.#agent = agent;
    this.#changing = this.#change(users);
  }

  /** Resolves once the last change was answered. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#changing;
  }

  async #change(users: readonly string[]): Promise<void> {
    for (let round = 1; !this.#stopped; round++)
      for (const user of users)
        for (const act of ACTS) {
          if (this.#stopped) return;
          await this.#perform(act, user, round);
          this.#changes += 1;
          if (this.#changes % GENERATION_EACH === 0) await this.#perform('generation', user, round);
          await pause(2 * Math.random() * REST);
        }
  }

  async #perform(act: Act, user: string, round: number): Promise<void> {
    await this.#agent.change(this.#fleet.next(), ...changeOf(act, user, round % 2 === 0 ? 0 : 1));
  }
}
