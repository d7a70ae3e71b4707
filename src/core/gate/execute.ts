import { tracingChannel } from 'node:diagnostics_channel';
import type { Answer, Caller } from '../answer.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import { isRole } from '../domain/role.ts';
import { shortDigest } from '../domain/ticket.ts';
import type { Passwords } from '../identity/passwords.ts';
import { chain, type MaybePromise } from '../maybe-promise.ts';
import type { AnyOperation } from '../operation.ts';
import { type ReadUnit, type Store, StoreUnavailable, type WriteUnit } from '../storage/store.ts';
import { authenticateAdministrator, performIfMatched } from './administration.ts';
import type { Bookkeeping } from './bookkeeping.ts';
import { browserOf, withBrowser } from './browser.ts';
import type { Call, CallOutcome, DecideFirst, Execute, VerifyToken } from './call.ts';
import { eventOf, isTallied, tallyOf, tallyOfDead, writeEvents } from './call-events.ts';
import {
  type Authenticate,
  authenticateByTicket,
  authenticateClient,
  authenticateUser,
  authenticateWithoutHash,
  type BasicCredentials,
  basicCredentialsOf,
  byArgumentAlone,
  type FirstLook,
  firstLook,
  hasFormToken,
  hasLiveArgument,
  levelOf,
  nameOf,
  type Principal,
  presentsToken,
  refusalOfWay,
  verifyBasic,
} from './caller.ts';
import { type InputCheck, inputCheck } from './input-check.ts';
import { languageAmong } from './language-among.ts';
import {
  nodeOf,
  type OperationArguments,
  operationContext,
  type PreparationParts,
  type Prepared,
  prepare,
  type RequestTools,
} from './operation-context.ts';
import { confirmed, digestOf, findLive, issueTicket } from './tickets.ts';

/** What the gate works with. */
interface GateParts extends Omit<PreparationParts, 'startedAt' | 'requests'> {
  readonly store: Store;
  readonly bookkeeping: Bookkeeping;
  /** The rules that decide before authentication. An operation with `anyRequest` is not run without them. */
  readonly decideFirst?: DecideFirst | undefined;
  /** The check of access tokens; undefined if no token counts. */
  readonly verifyToken?: VerifyToken | undefined;
  /** Whether a login may have its password in the URL. */
  readonly loginByGet: boolean;
  /** Called with every fault. The caller learns nothing of it. */
  readonly onFault: (fault: unknown, requestId: string) => void;
}

/** One call and its operation. */
interface CallState {
  readonly operation: AnyOperation;
  readonly check: InputCheck;
  readonly call: Call;
}

type Unit = ReadUnit | WriteUnit;
const REQUEST_TOOLS: RequestTools = { digestOf, findLive, confirmed, issueTicket, languageAmong };
const NOT_PREPARED: Prepared = { result: undefined };
/** Publishes each call with the `route` by which it came: the template of its path, from the root on. */
const calls = tracingChannel('tessera:gate');

/** The one gate through which every operation runs. Operations and pages open no transaction: it opens theirs. */
export class Gate {
  readonly #parts: GateParts & PreparationParts;

  constructor(parts: GateParts) {
    this.#parts = { ...parts, requests: REQUEST_TOOLS, startedAt: parts.rules.clock() };
  }

  /** Returns what runs one operation. It never rejects: a fault becomes `internal`, one of the store `store_unavailable`. */
  handlerFor(operation: AnyOperation): Execute {
    const check = inputCheck(operation);
    const { decideFirst, nodes } = this.#parts;
    if (operation.anyRequest && decideFirst === undefined)
      throw new Error(`${operation.id}: nothing decides about requests to other services`);
    if (operation.scopedTo && nodes === undefined)
      throw new Error(`${operation.id}: nothing finds its nodes`);
    const execute: Execute = async (call) => {
      try {
        const { aboutPresented, anyRequest } = operation;
        const taken = anyRequest && decideFirst ? decideFirst(anyRequest, call) : call;
        if ('result' in taken) return taken;
        const state = { operation, check, call: aboutPresented ? byArgumentAlone(taken) : taken };
        return await (presentsToken(state.call) ? this.#runForToken(state) : this.#run(state));
      } catch (fault) {
        this.#parts.onFault(fault, call.requestId);
        const unavailable = fault instanceof StoreUnavailable;
        return { result: unavailable ? refuse('store_unavailable', { retryAfter: 1 }) : refuse('internal') };
      }
    };
    const routeOf = ({ basePath, template }: Call) => ({ route: basePath + template });
    return (call) =>
      calls.hasSubscribers ? calls.tracePromise(execute, routeOf(call), undefined, call) : execute(call);
  }

  /** Verifies an access token before everything else, since its provider may have to be asked. */
  async #runForToken({ operation, check, call }: CallState): Promise<CallOutcome> {
    const verified = await this.#parts.verifyToken?.(operation, call);
    if (isRefusal(verified)) return this.#refusedToCaller(call, verified);
    const exchanged = (verified && operation.exchange) ?? operation;
    return this.#run({ operation: exchanged, check, call: { ...call, verified } });
  }

  /** Refuses a call that is not allowed as it came. Runs every other one with the authentication that its operation needs. */
  #run(state: CallState): MaybePromise<CallOutcome> {
    const { operation, call } = state;
    const refusal = refusalOfWay(operation, call, this.#parts.loginByGet);
    if (refusal !== undefined) return { result: refusal };
    switch (levelOf(operation.authentication, call)) {
      case 'none':
        return this.#runUnauthenticated(state);
      case 'user':
        return operation.ticketsOnly || operation.api?.byCookie
          ? this.#runAs(state, (unit) => authenticateByTicket(unit, call, this.#parts.rules))
          : this.#runForUser(state);
      case 'client':
        return this.#runAs(state, (unit) => authenticateClient(unit, call));
      case 'admin':
        return this.#runForAdministrator(state);
    }
  }

  /** Level `admin`: a password is verified before the transaction, if the API takes one. */
  async #runForAdministrator(state: CallState): Promise<CallOutcome> {
    const { operation, call } = state;
    const { passwords, rules } = this.#parts;
    const basic = operation.api?.takesPasswords ? basicCredentialsOf(call.presented) : undefined;
    const verified = basic && (await verifyBasic(basic, passwords.from(call)));
    if (isRefusal(verified)) return this.#refusedToCaller(call, verified);
    return this.#runAs(state, (unit) => authenticateAdministrator(unit, call, operation, rules, verified));
  }

  /** Level `none`: no credential is read. */
  async #runUnauthenticated(state: CallState): Promise<CallOutcome> {
    const input = state.check(state.call);
    if (isRefusal(input)) return { result: input };
    const prepared = await this.#prepare(state, input);
    if (isRefusal(prepared)) return { result: prepared };
    return this.#inTransaction(state, (unit) => this.#perform(state, unit, { input, prepared }));
  }

  /** Level `user`: a password is verified before the transaction, and the user is authenticated in it. */
  #runForUser(state: CallState): MaybePromise<CallOutcome> {
    const { call } = state;
    const basic = basicCredentialsOf(call.presented);
    if (basic !== undefined) return this.#runForPassword(state, basic);
    return this.#runAs(state, (unit) => authenticateUser(unit, call, call.verified, this.#parts.rules));
  }

  /** Tries what needs no hash first: a live `alf_ticket`, and for a read also app passwords and passwords verified a moment ago. */
  async #runForPassword(state: CallState, basic: BasicCredentials): Promise<CallOutcome> {
    const { store, rules } = this.#parts;
    const { operation, call } = state;
    const passwords = this.#parts.passwords.from(call);
    const inOneUnit = operation.access === 'read' && !this.#hasPreparation(operation);
    const outcome = inOneUnit
      ? await store.read((unit) => this.#performWithoutHash(state, basic, passwords, unit))
      : await this.#runForArgument(state);
    if (outcome !== undefined) return outcome;
    const verified = await verifyBasic(basic, passwords);
    if (isRefusal(verified)) return this.#refusedToCaller(call, verified);
    return this.#runAs(state, (unit) => authenticateUser(unit, call, verified, rules));
  }

  /** Runs the call for the holder of a live `alf_ticket`. Undefined if there is none, or it dies meanwhile: then the password counts. */
  async #runForArgument(state: CallState): Promise<CallOutcome | undefined> {
    const { rules } = this.#parts;
    if (!(await hasLiveArgument(state.call, this.#parts))) return undefined;
    const outcome = await this.#runAs(state, (unit) => authenticateUser(unit, state.call, undefined, rules));
    const { result } = outcome;
    return isRefusal(result) && result.refused === 'authentication_needed' ? undefined : outcome;
  }

  /** Performs the operation in this unit if no password has to be hashed for that, otherwise returns undefined. */
  #performWithoutHash(
    state: CallState,
    basic: BasicCredentials,
    passwords: Passwords,
    unit: ReadUnit,
  ): MaybePromise<CallOutcome | undefined> {
    const found = authenticateWithoutHash(unit, state.call, basic, passwords, this.#parts.rules);
    return chain(found, (principal) => principal && this.#performAs(state, principal, unit, NOT_PREPARED));
  }

  /** Whether something slow, such as a content repository, is asked before the transaction. */
  #hasPreparation({ prepare, scopedTo }: AnyOperation): boolean {
    return prepare !== undefined || (scopedTo !== undefined && this.#parts.nodes?.findOutside !== undefined);
  }

  /** Authenticates the call and performs the operation in the same transaction. */
  #runAs(state: CallState, authenticate: Authenticate): MaybePromise<CallOutcome> {
    if (this.#hasPreparation(state.operation)) return this.#prepareAndRunAs(state, authenticate);
    return this.#inTransaction(state, (unit) =>
      chain(authenticate(unit), (principal) => this.#performAs(state, principal, unit, NOT_PREPARED)),
    );
  }

  /** Authenticates the call and checks its input before the slow preparation, and authenticates it again in the transaction. */
  async #prepareAndRunAs(state: CallState, authenticate: Authenticate): Promise<CallOutcome> {
    const { call, operation } = state;
    const first = await this.#parts.store.read((unit) => firstLook(unit, operation, authenticate));
    if (isRefusal(first)) return this.#refusedToCaller(call, first);
    const input = this.#inputOf(state);
    const prepared = isRefusal(input) ? input : await this.#prepare(state, input, first);
    if (isRefusal(prepared)) return this.#refusedToCaller(call, prepared, first.principal);
    return this.#inTransaction(state, (unit) =>
      chain(authenticate(unit), (principal) => this.#performAs(state, principal, unit, prepared)),
    );
  }

  /** The checked input. A form of a page has to hold the CSRF token of its ticket. */
  #inputOf({ operation, call, check }: CallState): object | Refusal {
    const input = check(call);
    return isRefusal(input) || hasFormToken(operation, call, input) ? input : refuse('form_outdated');
  }

  #prepare({ operation, call }: CallState, input: unknown, first?: FirstLook): Promise<Prepared | Refusal> {
    const browser = call.browser && browserOf(call, this.#parts);
    return prepare(operation, call, { input, browser }, first, this.#parts);
  }

  #performAs(
    state: CallState,
    principal: Principal | Refusal,
    unit: Unit,
    prepared: Prepared,
  ): MaybePromise<CallOutcome> {
    const { call } = state;
    if (isRefusal(principal)) return this.#refusedToCaller(call, principal);
    const input = this.#inputOf(state);
    if (isRefusal(input)) return this.#refusedToCaller(call, input, principal);
    return chain(this.#perform(state, unit, { input, prepared, ...principal }), (outcome) =>
      this.#outcomeFor(principal, call, outcome),
    );
  }

  /** The outcome of a call with the name of who made it. */
  #outcomeFor(principal: Principal, call: Call, outcome: CallOutcome): CallOutcome {
    if (isRefusal(outcome.result)) return this.#refusedToCaller(call, outcome.result, principal);
    if ('caller' in principal) return this.#noteUse(outcome, principal.caller, call);
    if ('apiKey' in principal) this.#parts.bookkeeping.usedKey(principal.apiKey, this.#parts.rules.clock());
    return { ...outcome, ...nameOf(principal) };
  }

  /** Notes the use of the ticket that authenticated a request which succeeded. */
  #noteUse(outcome: CallOutcome, { heldTicket, user }: Caller, { goesOn }: Call): CallOutcome {
    if (heldTicket === undefined) return { user: user.name, ...outcome };
    if (!goesOn) this.#parts.bookkeeping.used(heldTicket, this.#parts.rules.clock());
    return { user: user.name, digest: shortDigest(heldTicket.ticket.digest), ...outcome };
  }

  /** Exactly one transaction, in the declared mode; none for an operation that declares none. */
  #inTransaction(
    { operation, call }: CallState,
    work: (unit: Unit) => MaybePromise<CallOutcome>,
  ): MaybePromise<CallOutcome> {
    if (operation.access === 'none') return work(undefined as never);
    if (operation.access === 'read') return this.#parts.store.read(work);
    return this.#inWriteUnit(call, work);
  }

  /** Does the work in a write unit, and writes the event of it there too. */
  async #inWriteUnit(call: Call, work: (unit: Unit) => MaybePromise<CallOutcome>): Promise<CallOutcome> {
    const { store, rules, bookkeeping, onFault } = this.#parts;
    const outcome = await store.write(async (unit) => {
      const result = await work(unit);
      const fault = await writeEvents(unit, call, result, rules.clock(), bookkeeping);
      if (fault !== undefined) onFault(fault, call.requestId);
      return result;
    });
    const isLater = !bookkeeping.requiresEvents && isTallied(outcome.result);
    const login = isLater ? eventOf(call, outcome.result, rules.clock()) : undefined;
    if (login !== undefined) bookkeeping.tally({ ...login, digest: undefined });
    return outcome;
  }

  #perform({ operation, call }: CallState, unit: Unit, args: OperationArguments): MaybePromise<CallOutcome> {
    return chain(nodeOf(operation, call, unit, args, this.#parts.nodes), (node) => {
      if (isRefusal(node)) return { result: node };
      const plain = operationContext(call, unit, args, node, this.#parts);
      const context = call.browser ? withBrowser(plain, call, this.#parts) : plain;
      const performed =
        call.isMatch === undefined
          ? operation.perform(context as never)
          : performIfMatched(operation, call.isMatch, context);
      return chain(performed, (result) => this.#outcomeOf(call, result));
    });
  }

  /** The outcome of an operation. Notes the tickets that it asks the gate to note. */
  #outcomeOf(call: Call, result: Answer<unknown> | Refusal): CallOutcome {
    const { rules, bookkeeping } = this.#parts;
    if (isRefusal(result)) return { result };
    if (result.validated !== undefined) bookkeeping.used(result.validated, rules.clock());
    if (result.dead !== undefined) bookkeeping.tally(tallyOfDead(call, result.dead, rules.clock()));
    if (result.issued === undefined) return { result };
    return { result, user: result.issued.user.name, digest: shortDigest(result.issued.ticket.digest) };
  }

  #refusedToCaller(call: Call, refusal: Refusal, principal?: Principal): CallOutcome {
    const named = principal && nameOf(principal);
    const tally = tallyOf(call, refusal, named?.user, this.#parts.rules.clock());
    if (tally !== undefined) this.#parts.bookkeeping.tally(tally);
    const role = call.browser && principal && 'actor' in principal ? principal.actor?.role : undefined;
    return { result: role !== undefined && isRole(role) ? { ...refusal, role } : refusal, ...named };
  }
}
