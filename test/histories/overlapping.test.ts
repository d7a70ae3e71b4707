import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { check, lineOf } from './check.ts';
import { type Answer, type Call, History, type Operation } from './record.ts';

const USERS = ['ada', 'bob'] as const;

/** A service that does one thing at a time, written without regard to the model. */
class OneByOne {
  readonly #barred = new Map(USERS.map((user) => [user as string, { disabled: false, locked: false }]));
  readonly #passwords = new Map(USERS.map((user) => [user as string, 'first']));
  readonly #tickets = new Map<string, string>();
  #issued = 0;

  perform(operation: Operation): { readonly answer: Answer; readonly ticket?: string } {
    switch (operation.act) {
      case 'login':
        return this.#logIn(operation.user, operation.password);
      case 'validate':
        return { answer: this.#isLive(operation.ticket) ? 'yes' : 'no' };
      case 'log-out': {
        if (!this.#isLive(operation.ticket)) return { answer: 'no' };
        this.#tickets.delete(operation.ticket);
        break;
      }
      case 'expire':
        this.#tickets.delete(operation.ticket);
        break;
      case 'generation':
        this.#tickets.clear();
        break;
      default:
        this.#change(operation);
    }
    return { answer: 'yes' };
  }

  #logIn(user: string, password: string | undefined) {
    const { disabled, locked } = this.#barred.get(user) as { disabled: boolean; locked: boolean };
    if (disabled || locked || this.#passwords.get(user) !== password) return { answer: 'no' } as const;
    this.#issued += 1;
    const ticket = `ticket ${this.#issued}`;
    this.#tickets.set(ticket, user);
    return { answer: 'yes', ticket } as const;
  }

  #isLive(ticket: string): boolean {
    const user = this.#tickets.get(ticket);
    return user !== undefined && this.#barred.get(user)?.locked === false;
  }

  #change(operation: Extract<Operation, { readonly user: string }>): void {
    const { act, user } = operation;
    const barred = this.#barred.get(user) as { disabled: boolean; locked: boolean };
    if (act === 'lock' || act === 'unlock') barred.locked = act === 'lock';
    else if (act === 'enable') barred.disabled = false;
    else {
      if (act === 'disable' || act === 'remove') barred.disabled = true;
      if (act === 'password') this.#passwords.set(user, operation.password);
      const keeps = act === 'password' ? operation.keeps : undefined;
      for (const [ticket, owner] of this.#tickets)
        if (owner === user && ticket !== keeps) this.#tickets.delete(ticket);
    }
  }
}

/** What a client does, if it has a ticket where it needs one. */
interface Plan {
  readonly act: Operation['act'];
  readonly user: string;
  readonly password: string;
  /** Which of the tickets that were issued so far. */
  readonly which: number;
  /** Ticks until the call, from there until it happens, and until it returns. */
  readonly waits: readonly [number, number, number];
  readonly isLost: boolean;
}

const planned = fc.record<Plan>({
  act: fc.constantFrom<Plan['act'][]>(
    ...(['login', 'login', 'login', 'validate', 'validate', 'validate', 'validate', 'log-out'] as const),
    ...(['expire', 'end-all', 'disable', 'enable', 'enable', 'lock', 'unlock', 'unlock'] as const),
    ...(['password', 'generation'] as const),
  ),
  user: fc.constantFrom(...USERS),
  password: fc.constantFrom('first', 'first', 'second'),
  which: fc.nat(),
  waits: fc.tuple(fc.nat(3), fc.nat(6), fc.nat(6)),
  isLost: fc.nat(9).map((chance) => chance === 0),
});

function operationOf(
  { act, user, password, which }: Plan,
  tickets: readonly string[],
): Operation | undefined {
  const ticket = tickets[which % Math.max(1, tickets.length)];
  switch (act) {
    case 'login':
      return { act, user, password };
    case 'generation':
      return { act };
    case 'validate':
    case 'log-out':
    case 'expire':
      return ticket === undefined ? undefined : { act, ticket };
    case 'password':
      return { act, user, password, ...(which % 2 === 0 && ticket !== undefined && { keeps: ticket }) };
    default:
      return { act, user };
  }
}

/** Plays the plans by a clock of ticks. The answer of validation `flipped` is turned round. */
function historyOf(plans: readonly Plan[], flipped = -1): History {
  const [history, service, tickets] = [new History(() => 0), new OneByOne(), [] as string[]];
  const events: { readonly at: number; readonly happens: () => void }[] = [];
  let now = 0;
  let validations = 0;
  for (const plan of plans) {
    const [wait, happens, returns] = plan.waits;
    now += wait;
    const [at, happensAt] = [now, now + happens];
    events.push({
      at,
      happens: () => {
        const operation = operationOf(plan, tickets);
        if (operation === undefined) return;
        const call: Call = history.call({ ...operation, client: 'client', place: 'A' });
        const happen = () => {
          const { answer, ticket } = service.perform(operation);
          const isFlipped = operation.act === 'validate' && validations++ === flipped;
          const said = isFlipped ? ({ yes: 'no', no: 'yes' } as const)[answer] : answer;
          const back = () => {
            if (ticket !== undefined) tickets.push(ticket);
            call.returned(said, ticket);
          };
          if (!plan.isLost) events.push({ at: happensAt + returns, happens: back });
        };
        events.push({ at: happensAt, happens: happen });
      },
    });
  }
  while (events.length > 0) {
    const next = events.reduce((first, event) => (event.at < first.at ? event : first));
    events.splice(events.indexOf(next), 1);
    next.happens();
  }
  return history;
}

const plans = fc.array(planned, { minLength: 10, maxLength: 60 });

test('whatever overlaps and whatever answers are lost, a service that does one thing at a time has an order', () => {
  fc.assert(
    fc.property(plans, (all) => {
      const counterexample = check(historyOf(all));
      assert.equal(counterexample && lineOf(counterexample), undefined);
    }),
    { numRuns: 1_000 },
  );
});

test('one answer that is turned round is found, unless an order explains it', () => {
  const found = fc
    .sample(plans, { numRuns: 200, seed: 1 })
    .filter((all) => check(historyOf(all, 0)) !== undefined);
  assert.ok(found.length > 10, `${found.length} of 200 were found`);
});
