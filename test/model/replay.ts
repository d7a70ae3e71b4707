import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Store } from '../../src/core/storage/store.ts';
import { startTestService, type TestService, temporaryFolder } from '../service/start.ts';
import { ask, logIn } from '../service/talk.ts';

const FOLDER = new URL('traces/', import.meta.url);
const USER = 'ada';

type Instance = string;
type Numbered = { readonly '#bigint': string };
type Variant = { readonly tag: string; readonly value: unknown };

/** What a client sees happen, as `model/promise.qnt` has it. */
interface Events {
  readonly LoggedIn: { readonly instance: Instance; readonly ticket: string };
  readonly RevocationCalled: {
    readonly call: Numbered;
    readonly instance: Instance;
    readonly revocation: Variant;
  };
  readonly RevocationAnswered: { readonly call: Numbered; readonly done: boolean };
  readonly Arrived: { readonly request: Numbered; readonly instance: Instance; readonly ticket: string };
  readonly Answered: {
    readonly request: Numbered;
    readonly allowed: { readonly '#set': readonly Variant[] };
  };
  readonly Restarted: Instance;
}

/** Files of traces; `npm run model -- --write-traces` makes them. */
export const traces = readdirSync(FOLDER).filter((file) => file.endsWith('.itf.json'));

/** Opens another store on the same data. */
export type OpenStore = () => Store | Promise<Store>;

/** Two instances, and what clients have asked of them without an answer so far. */
class Replay {
  readonly #t: TestContext;
  readonly #open: OpenStore;
  readonly #key: string;
  readonly #instances = new Map<Instance, TestService>();
  readonly #tickets = new Map<string, string>();
  /** Answers to come: of validations the status, of revocations whether they were done. */
  readonly #validations = new Map<string, Promise<string>>();
  readonly #revocations = new Map<string, Promise<boolean>>();
  #apiKey = '';

  constructor(t: TestContext, open: OpenStore, key: string) {
    this.#t = t;
    this.#open = open;
    this.#key = key;
  }

  async start(): Promise<void> {
    for (const name of ['one', 'two']) await this.#start(name);
    const one = this.#at('one');
    await one.addUser(USER);
    this.#apiKey = await one.addApiKey('administrator');
  }

  async #start(name: Instance): Promise<void> {
    const store = await this.#open();
    const env = { TESSERA_THROTTLE_KEY_FILE: this.#key };
    this.#instances.set(name, await startTestService(this.#t, env, () => store));
  }

  #at(name: Instance): TestService {
    return this.#instances.get(name) ?? assert.fail(`there is no instance ${name}`);
  }

  #ticket(name: string): string {
    return this.#tickets.get(name) ?? assert.fail(`there is no ticket ${name}`);
  }

  /** What each event does, or waits for. */
  readonly does: { readonly [E in keyof Events]: (event: Events[E]) => Promise<void> } = {
    LoggedIn: async ({ instance, ticket }) => {
      this.#tickets.set(ticket, await logIn(this.#at(instance).url, USER));
    },
    RevocationCalled: async ({ call, instance, revocation }) => {
      this.#revocations.set(call['#bigint'], this.#revoke(this.#at(instance).url, revocation));
    },
    RevocationAnswered: async ({ call, done }) => {
      const wasDone = await this.#revocations.get(call['#bigint']);
      // In the model the client may have had no answer, for a fault that does not happen here.
      if (done) assert.equal(wasDone, true);
    },
    Arrived: async ({ request, instance, ticket }) => {
      const target = `${this.#at(instance).url}/api/login/ticket/${this.#ticket(ticket)}`;
      this.#validations.set(request['#bigint'], answerTo(target, this.#ticket(ticket)));
    },
    Answered: async ({ request, allowed }) => {
      const answer = (await this.#validations.get(request['#bigint'])) ?? assert.fail('nothing was asked');
      const permitted = allowed['#set'].map(({ tag }) => tag).filter((tag) => tag !== 'Unavailable');
      assert.ok(permitted.includes(answer), `${answer} is not among ${permitted.join(', ')}`);
    },
    Restarted: async (instance) => {
      await this.#at(instance).stop();
      await this.#start(instance);
    },
  };

  async #revoke(url: string, { tag, value }: Variant): Promise<boolean> {
    const headers = { authorization: `Bearer ${this.#apiKey}` };
    const user = `${url}/api/admin/users/${USER}`;
    if (tag === 'EndAll') return isDone(fetch(`${user}/tickets`, { method: 'DELETE', headers }));
    if (tag === 'Disable')
      return isDone(fetch(user, { method: 'PATCH', headers, body: JSON.stringify({ disabled: true }) }));
    const ticket = this.#ticket(String(value));
    const target = `${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`;
    // A ticket that has ended already cannot log itself out: 401.
    return isDone(fetch(target, { method: 'DELETE' }), 401);
  }

  /** Waits for what was asked and never answered in the model. */
  async settle(): Promise<void> {
    await Promise.allSettled([...this.#validations.values(), ...this.#revocations.values()]);
  }
}

/** Whether a revocation was done, or the `other` status says that there was nothing to do. */
async function isDone(sending: Promise<Response>, other = 200): Promise<boolean> {
  const response = await sending.catch(() => undefined);
  await response?.arrayBuffer();
  return response !== undefined && (response.ok || response.status === other);
}

/** How a validation of a ticket is answered, in the words of the model. */
async function answerTo(target: string, ticket: string): Promise<string> {
  const answer = await ask(`${target}?alf_ticket=${ticket}`).catch(() => undefined);
  if (answer?.status === 200) return 'Yes';
  return answer?.status === 401 ? 'No' : `Unavailable (${answer?.status})`;
}

/** Has two instances do what a trace of the model says, in its order. Each answer has to be one that the model allows. */
export async function replay(t: TestContext, file: string, open: OpenStore): Promise<void> {
  const { states } = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as {
    readonly states: readonly { readonly event: Variant }[];
  };
  const instances = new Replay(t, open, join(await temporaryFolder(t), 'throttle-key'));
  await instances.start();
  for (const [place, { event }] of states.entries()) {
    const perform = instances.does[event.tag as keyof Events] as (value: unknown) => Promise<void>;
    await perform(event.value).catch((error: unknown) => {
      throw new Error(`event ${place + 1} of ${file}, ${event.tag}: ${(error as Error).message}`);
    });
  }
  await instances.settle();
}
