import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import { shortDigest } from '../domain/ticket.ts';
import type { PasswordCheck } from '../identity/password-check.ts';
import type { Passwords } from '../identity/verifier.ts';
import { chain, type MaybePromise } from '../maybe-promise.ts';
import type { RemoteNodes } from '../nodes/locate.ts';
import type { Answer, AnyOperation, Caller } from '../operation.ts';
import { type ReadUnit, type Store, StoreUnavailable, type WriteUnit } from '../storage/store.ts';
import type { Bookkeeping } from './bookkeeping.ts';
import type { Call } from './call.ts';
import {
  byArgumentAlone,
  type Confirm,
  confirmCaller,
  confirmHolder,
  confirmUnhashed,
  hasLiveArgument,
  type Known,
  type Pair,
  passwordOf,
  verifyPair,
} from './caller.ts';
import { type InputCheck, inputCheck } from './check-input.ts';
import { confirmClient } from './client.ts';
import { eventOf, tallyOf, tallyOfDead } from './journal.ts';
import {
  type ContextParts,
  type OperationArguments,
  operationContext,
  type Prepared,
} from './operation-context.ts';
import { nodeElsewhere, nodeOf } from './scope.ts';

/** What the gate works with. */
export interface GateParts extends ContextParts {
  readonly store: Store;
  readonly passwords: Pick<PasswordCheck, 'from'>;
  readonly bookkeeping: Bookkeeping;
  /** Who knows the nodes, if it is not the store. */
  readonly remoteNodes?: RemoteNodes | undefined;
  /** Whether a login may put its password into the URL. */
  readonly loginByGet: boolean;
  /** Told of every fault; the caller is told nothing of it. */
  readonly onFault: (fault: unknown, requestId: string) => void;
}

/** What came of a call, with what the request line tells of it. */
export interface CallOutcome {
  readonly result: Answer<unknown> | Refusal;
  readonly user?: string;
  /** The first 8 digits of the digest of the ticket concerned. */
  readonly digest?: string;
  /** The client that called. */
  readonly client?: string;
}

/** Runs an operation for a call. */
export type Execute = (call: Call) => Promise<CallOutcome>;

/** One call on its way through the gate. */
interface CallState {
  readonly operation: AnyOperation;
  readonly check: InputCheck;
  readonly call: Call;
}

type Unit = ReadUnit | WriteUnit;

const UNPREPARED: Prepared = { result: undefined };

/** How every operation runs: the one gate. Only here is a transaction opened for a request. */
export class Gate {
  readonly #parts: GateParts;

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  /** The way of calls to one operation. Never rejects: a fault becomes `internal` or, from the store, `store_unavailable`. */
  handlerFor(operation: AnyOperation): Execute {
    const check = inputCheck(operation);
    return async (call) => {
      try {
        const { aboutPresented } = operation;
        return await this.#pass({ operation, check, call: aboutPresented ? byArgumentAlone(call) : call });
      } catch (fault) {
        this.#parts.onFault(fault, call.requestId);
        const unavailable = fault instanceof StoreUnavailable;
        return { result: unavailable ? refuse('store_unavailable', { retryAfter: 1 }) : refuse('internal') };
      }
    };
  }

  #pass(passage: CallState): MaybePromise<CallOutcome> {
    const { operation, call } = passage;
    const { takesPassword, authentication, ticketsOnly } = operation;
    const { crossSite } = call;
    if (takesPassword && crossSite !== undefined)
      return refused(refuse('cross_site_login', { reason: crossSite }));
    if (takesPassword === 'url' && !this.#parts.loginByGet && !call.fromForm)
      return refused(refuse('login_by_get_off'));
    switch (authentication) {
      case 'none':
        return this.#passAnyone(passage);
      case 'user':
        return ticketsOnly
          ? this.#passKnown(passage, (unit) => confirmHolder(unit, call, this.#parts.rules))
          : this.#passUser(passage);
      case 'client':
        return this.#passKnown(passage, (unit) => confirmClient(unit, call));
    }
  }

  /** Level `none`: no credential is looked at. */
  async #passAnyone(passage: CallState): Promise<CallOutcome> {
    const input = passage.check(passage.call);
    if (isRefusal(input)) return refused(input);
    const prepared = await this.#prepare(passage, input);
    if (isRefusal(prepared)) return refused(prepared);
    return this.#inTransaction(passage, (unit) => this.#perform(passage, unit, { input, prepared }));
  }

  /** Level `user`: a password is verified before the transaction, and every caller is confirmed in it. */
  #passUser(passage: CallState): MaybePromise<CallOutcome> {
    const { call } = passage;
    const pair = passwordOf(call.presented);
    if (pair !== undefined) return this.#passVerified(passage, pair);
    return this.#passKnown(passage, (unit) => confirmCaller(unit, call, undefined, this.#parts.rules));
  }

  async #passVerified(passage: CallState, pair: Pair): Promise<CallOutcome> {
    const { store, rules } = this.#parts;
    const { operation, call } = passage;
    const passwords = this.#parts.passwords.from(call.address);
    const atOnce = operation.access === 'read' && !this.#isSlow(operation);
    const outcome = atOnce
      ? await store.read((unit) => this.#performUnhashed(passage, pair, passwords, unit))
      : await this.#passByArgument(passage);
    if (outcome !== undefined) return outcome;
    const verified = await verifyPair(pair, passwords);
    if (isRefusal(verified)) return this.#refusedToCaller(call, verified);
    return this.#passKnown(passage, (unit) => confirmCaller(unit, call, verified, rules));
  }

  /** Passes by a live `alf_ticket`, beside which no password is looked at; nothing where none lives, or lives on. */
  async #passByArgument(passage: CallState): Promise<CallOutcome | undefined> {
    const { store, rules } = this.#parts;
    const { call } = passage;
    if (call.presented.arguments.length === 0) return undefined;
    if (!(await store.read((unit) => hasLiveArgument(unit, call, rules)))) return undefined;
    const outcome = await this.#passKnown(passage, (unit) => confirmCaller(unit, call, undefined, rules));
    const { result } = outcome;
    return isRefusal(result) && result.refused === 'authentication_needed' ? undefined : outcome;
  }

  /** Performs in this unit what nothing has to be hashed for; nothing otherwise. */
  #performUnhashed(
    passage: CallState,
    pair: Pair,
    passwords: Passwords,
    unit: ReadUnit,
  ): MaybePromise<CallOutcome | undefined> {
    const confirming = confirmUnhashed(unit, passage.call, pair, passwords, this.#parts.rules);
    return chain(confirming, (known) => known && this.#performForKnown(passage, known, unit, UNPREPARED));
  }

  /** Whether something is asked for before the transaction, since it may take its time. */
  #isSlow({ prepare, scopedTo }: AnyOperation): boolean {
    return prepare !== undefined || (scopedTo !== undefined && this.#parts.remoteNodes !== undefined);
  }

  /** A call by somebody who has to be known, confirmed in each unit that rests on it. */
  #passKnown(passage: CallState, confirm: Confirm): MaybePromise<CallOutcome> {
    if (this.#isSlow(passage.operation)) return this.#passPrepared(passage, confirm);
    return this.#inTransaction(passage, (unit) =>
      chain(confirm(unit), (known) => this.#performForKnown(passage, known, unit, UNPREPARED)),
    );
  }

  /** Nothing slow runs for a caller who lacks the level, or whose input is wrong. */
  async #passPrepared(passage: CallState, confirm: Confirm): Promise<CallOutcome> {
    const { call, check } = passage;
    const known = await this.#parts.store.read(confirm);
    if (isRefusal(known)) return this.#refusedToCaller(call, known);
    const input = check(call);
    const prepared = isRefusal(input) ? input : await this.#prepare(passage, input);
    if (isRefusal(prepared)) return this.#refusedToCaller(call, prepared, known);
    return this.#inTransaction(passage, (unit) =>
      chain(confirm(unit), (known) => this.#performForKnown(passage, known, unit, prepared)),
    );
  }

  async #prepare({ operation, call }: CallState, input: unknown): Promise<Prepared | Refusal> {
    const node = await nodeElsewhere(operation, call, input, this.#parts.remoteNodes);
    if (isRefusal(node)) return node;
    const { passwords } = this.#parts;
    const result = await operation.prepare?.({ input, passwords: passwords.from(call.address) } as never);
    return isRefusal(result) ? result : { result, node };
  }

  #performForKnown(
    passage: CallState,
    known: Known | Refusal,
    unit: Unit,
    prepared: Prepared,
  ): MaybePromise<CallOutcome> {
    const { call, check } = passage;
    if (isRefusal(known)) return this.#refusedToCaller(call, known);
    const input = check(call);
    if (isRefusal(input)) return this.#refusedToCaller(call, input, known);
    return chain(this.#perform(passage, unit, { input, prepared, ...known }), (outcome) =>
      this.#outcomeFor(known, call, outcome),
    );
  }

  /** What came of a call for who was known to make it. */
  #outcomeFor(known: Known, call: Call, outcome: CallOutcome): CallOutcome {
    if (isRefusal(outcome.result)) return this.#refusedToCaller(call, outcome.result, known);
    return 'client' in known ? { ...outcome, client: known.client.name } : this.#book(outcome, known.caller);
  }

  /** Books that a ticket authenticated a request that succeeded. */
  #book(outcome: CallOutcome, { held, user }: Caller): CallOutcome {
    if (held === undefined) return { user: user.name, ...outcome };
    this.#parts.bookkeeping.used(held, this.#parts.rules.clock());
    return { user: user.name, digest: shortDigest(held.ticket.digest), ...outcome };
  }

  /** Exactly one transaction, in the declared mode; none for an operation that declares none. */
  #inTransaction(
    { operation, call }: CallState,
    work: (unit: Unit) => MaybePromise<CallOutcome>,
  ): MaybePromise<CallOutcome> {
    const { store } = this.#parts;
    if (operation.access === 'none') return work(undefined as never);
    if (operation.access === 'read') return store.read(work);
    return this.#inWriteUnit(call, work);
  }

  /** Work in a write unit, with the event that tells of it. */
  async #inWriteUnit(call: Call, work: (unit: Unit) => MaybePromise<CallOutcome>): Promise<CallOutcome> {
    const { store, rules, bookkeeping, onFault } = this.#parts;
    const outcome = await store.write(async (unit) => {
      const made = await work(unit);
      const event = isTallied(made) ? undefined : eventOf(call, made.result, rules.clock(), made.client);
      // An event that cannot be written refuses neither a login nor a logout.
      const fault = event && (await unit.aside(() => unit.events.append(event)));
      if (fault !== undefined) onFault(fault, call.requestId);
      return made;
    });
    const login = isTallied(outcome) ? eventOf(call, outcome.result, rules.clock()) : undefined;
    if (login !== undefined) bookkeeping.tally({ ...login, digest: undefined });
    return outcome;
  }

  #perform({ operation, call }: CallState, unit: Unit, given: OperationArguments): MaybePromise<CallOutcome> {
    return chain(nodeOf(operation, call, unit, given), (node) => {
      if (isRefusal(node)) return { result: node };
      const reach = operationContext(call, unit, given, node, this.#parts);
      return chain(operation.perform(reach as never), (result) => this.#outcomeOf(call, result));
    });
  }

  /** What came of an operation, with what it has the gate book. */
  #outcomeOf(call: Call, result: Answer<unknown> | Refusal): CallOutcome {
    const { rules, bookkeeping } = this.#parts;
    if (isRefusal(result)) return { result };
    if (result.validated !== undefined) bookkeeping.used(result.validated, rules.clock());
    if (result.dead !== undefined) bookkeeping.tally(tallyOfDead(call, result.dead, rules.clock()));
    if (result.issued === undefined) return { result };
    return { result, user: result.issued.user.name, digest: shortDigest(result.issued.ticket.digest) };
  }

  #refusedToCaller(call: Call, refusal: Refusal, known?: Known): CallOutcome {
    const named = known && nameOf(known);
    const tally = tallyOf(call, refusal, named?.user, this.#parts.rules.clock());
    if (tally !== undefined) this.#parts.bookkeeping.tally(tally);
    return { result: refusal, ...named };
  }
}

/** Who called, and by which ticket, if by one. */
function nameOf(known: Known): Pick<CallOutcome, 'user' | 'digest' | 'client'> {
  if ('client' in known) return { client: known.client.name };
  const { user, held } = known.caller;
  return held === undefined
    ? { user: user.name }
    : { user: user.name, digest: shortDigest(held.ticket.digest) };
}

function refused(refusal: Refusal): CallOutcome {
  return { result: refusal };
}

/** Whether its event is counted with others of its kind: anybody can log in without a password, as often as it pleases. */
function isTallied({ result }: CallOutcome): boolean {
  return !isRefusal(result) && result.issued?.withoutPassword === true;
}
