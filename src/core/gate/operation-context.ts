import type { Caller } from '../answer.ts';
import type { BrowserTools } from '../browser-context.ts';
import type { Actor } from '../domain/administration.ts';
import { API_KEY_BYTES } from '../domain/api-key.ts';
import { APP_PASSWORD_BYTES } from '../domain/app-password.ts';
import type { Brand } from '../domain/brand.ts';
import type { RegisteredClient } from '../domain/client.ts';
import type { ProbeReadiness } from '../domain/probe.ts';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import type { RunningService } from '../domain/running-service.ts';
import type { ServerIdentity } from '../domain/server-identity.ts';
import { endOf, type HeldTicket, isLockedFor, stateOf, type TicketAndOwner } from '../domain/ticket.ts';
import { type Holder, type PasswordPages, type User, userKey } from '../domain/user.ts';
import { newApiKey, newAppPassword, newClientSecret } from '../identity/client-secret.ts';
import type { LockOuts } from '../identity/lock-outs.ts';
import type { PasswordCheck } from '../identity/password-check.ts';
import type { Verified } from '../identity/passwords.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type {
  AnyOperation,
  InputSchemas,
  OperationTools,
  Preparation,
  ScopeNode,
  ScopeReference,
} from '../operation.ts';
import type { Sealer } from '../sealing/sealer.ts';
import type { ReadUnit, WriteUnit } from '../storage/store.ts';
import type { Call } from './call.ts';
import type { FirstLook } from './caller.ts';
import type { languageAmong } from './language-among.ts';
import type { confirmed, digestOf, findLive, issueTicket, TicketRules } from './tickets.ts';

/** What was prepared for an operation outside its transaction. */
export interface Prepared {
  readonly result: unknown;
  /** The node that the call is about, if it was looked up outside of the store. */
  readonly node?: ScopeNode | undefined;
}

/** What an operation gets besides its transaction. */
export interface OperationArguments {
  readonly input: unknown;
  readonly prepared: Prepared;
  readonly caller?: Caller | undefined;
  readonly client?: RegisteredClient | undefined;
  /** Who calls at level `admin`. */
  readonly actor?: Actor | undefined;
}

/** Finds the nodes that calls are about (`scopedTo`). */
export interface NodeFinder {
  /** Finds a node in another system, before the transaction, since that may be slow. Missing if the store has the nodes. */
  readonly findOutside?: ((reference: ScopeReference) => Promise<ScopeNode | Refusal>) | undefined;
  findIn(unit: ReadUnit | WriteUnit, reference: ScopeReference): MaybePromise<ScopeNode | Refusal>;
}

/** The node that a call is about: the one that was prepared, otherwise from the store. */
export function nodeOf(
  operation: AnyOperation,
  call: Call,
  unit: ReadUnit | WriteUnit,
  { input, prepared }: OperationArguments,
  nodes: NodeFinder | undefined,
): MaybePromise<ScopeNode | Refusal | undefined> {
  if (prepared.node !== undefined) return prepared.node;
  const reference = operation.scopedTo?.(input as never, call.template);
  return reference && nodes?.findIn(unit, reference);
}

/** What the context of an operation of administration is made from, besides the call. */
export interface AdministrationParts {
  readonly rules: TicketRules;
  /** Every operation that is served. */
  readonly operations: readonly AnyOperation[];
  /** The names that the service gives itself. */
  readonly identity: ServerIdentity;
  /** When the service started, in epoch milliseconds. */
  readonly startedAt: number;
  /** Whether user names differ by case. */
  readonly namesCaseSensitive: boolean;
  /** Whether users see the profiles and groups of all users. */
  readonly allPeopleVisible: boolean;
  /** Where users of a directory or of identity providers change their passwords. */
  readonly passwordPages: PasswordPages;
  /** Whether the service asks users for a second factor. */
  readonly asksSecondFactor: boolean;
  /** The waits and lock-outs of names, for administrators. */
  readonly lockOuts: Pick<LockOuts, keyof LockOuts>;
  /** What administrators are shown of this process. */
  readonly service: RunningService;
}

/** What operations that requests call do with tickets and languages. No operation of administration does. */
export interface RequestTools {
  readonly digestOf: typeof digestOf;
  readonly findLive: typeof findLive;
  readonly confirmed: typeof confirmed;
  readonly issueTicket: typeof issueTicket;
  readonly languageAmong: typeof languageAmong;
}

/** What the context of any operation is made from, besides the call. */
export interface ContextParts extends AdministrationParts {
  readonly requests: RequestTools;
  /** What capabilities give to operations. */
  readonly operationTools: OperationTools;
  readonly probeReadiness: ProbeReadiness;
  /** Hosts, besides the own one, to which a sign-in may lead. */
  readonly returnHosts: readonly string[];
  /** What capabilities give to pages. */
  readonly browserTools: BrowserTools;
  /** The name, logo, colour and links of the operator. */
  readonly brand: Brand;
  /** Seals the short-lived state that browsers keep for the service. */
  readonly cookieSealer: Sealer;
}

/** What the context of an operation is made from here. */
type OperationParts = AdministrationParts &
  Pick<ContextParts, 'requests'> & { readonly operationTools: Partial<OperationTools> };

/** The end of a ticket, unless a date cannot hold it or its year has more than four digits (RFC 3339): that is as good as never. */
function dateOf(at: number): number | undefined {
  return at < Date.UTC(10_000) ? at : undefined;
}

/** Who calls, and how names are compared. */
export function userContext(caller: Caller | undefined, namesCaseSensitive: boolean) {
  const keyOf = (name: string) => userKey(name, namesCaseSensitive);
  const isCaller = (name: string) => caller !== undefined && keyOf(name) === keyOf(caller.user.name);
  return { caller, keyOf, isCaller };
}

/** What a preparation works with. */
export interface PreparationParts extends ContextParts {
  readonly passwords: Pick<PasswordCheck, 'from'>;
  /** Finds the nodes that calls are about. An operation with `scopedTo` is not served without it. */
  readonly nodes?: NodeFinder | undefined;
}

/** Prepares outside the transaction: finds the node if it is not in the store, and runs the operation's `prepare`. */
export async function prepare(
  operation: AnyOperation,
  call: Call,
  { input, browser }: Pick<Preparation<InputSchemas, 'none'>, 'browser'> & { readonly input: unknown },
  first: FirstLook | undefined,
  {
    passwords,
    nodes,
    operationTools,
    probeReadiness,
    asksSecondFactor,
    namesCaseSensitive,
  }: PreparationParts,
): Promise<Prepared | Refusal> {
  const findOutside = nodes?.findOutside;
  const reference = findOutside && operation.scopedTo?.(input as never, call.template);
  const node = reference && (await findOutside(reference));
  if (isRefusal(node)) return node;
  const caller = first && 'caller' in first.principal ? first.principal.caller : undefined;
  const actor = first && 'actor' in first.principal ? first.principal.actor : undefined;
  const tools = { ...operationTools, passwords: passwords.from(call), probeReadiness, asksSecondFactor };
  const own = {
    input,
    browser,
    actor,
    role: first?.role,
    ...tools,
    ...userContext(caller, namesCaseSensitive),
  };
  const result = await operation.prepare?.(own as never);
  return isRefusal(result) ? result : { result, node };
}

/**
 * The context of one run of an operation in this transaction: everything that it can use. The tools are spread last: in front, the
 * object gets room for few members, and each validation allocates more. Callers mostly ask about the ticket that they presented: that was
 * looked up in this transaction already, so `find` returns it.
 */
export function operationContext(
  call: Call,
  unit: ReadUnit | WriteUnit,
  { input, prepared, caller, client, actor }: OperationArguments,
  node: ScopeNode | undefined,
  parts: OperationParts,
): object {
  const { rules } = parts;
  const { digestOf, findLive, confirmed, issueTicket, languageAmong } = parts.requests;
  const { keyOf, isCaller } = userContext(caller, parts.namesCaseSensitive);
  const now = rules.clock();
  return {
    input,
    prepared: prepared.result,
    caller,
    keyOf,
    isCaller,
    allPeopleVisible: parts.allPeopleVisible,
    passwordPages: parts.passwordPages,
    asksSecondFactor: parts.asksSecondFactor,
    client,
    actor,
    node,
    store: unit,
    now,
    operations: parts.operations,
    identity: parts.identity,
    startedAt: parts.startedAt,
    basePath: call.basePath,
    arrival: call.arrival,
    lockOuts: parts.lockOuts,
    service: parts.service,
    newClientSecret,
    decision: call.decision,
    verified: call.verified,
    isLocked: (user: Pick<Holder, 'lockedUntil'>) => isLockedFor(user, now, rules.lifetime),
    ticketState: (ticket: TicketAndOwner) => stateOf(ticket, now, rules.lifetime),
    newAppPassword: () => newAppPassword(rules.random(APP_PASSWORD_BYTES)),
    newApiKey: () => newApiKey(rules.random(API_KEY_BYTES)),
    languageAmong: (languages: readonly string[]) => languageAmong(languages, call.acceptLanguage),
    digestOf,
    find: (text: string) => (text === caller?.presented ? caller.heldTicket : findLive(unit, text, rules)),
    endOf: ({ ticket }: HeldTicket) => dateOf(endOf(ticket, now, rules.lifetime)),
    confirm: (verified: Verified) => confirmed(unit, verified, now, rules.lifetime),
    issue: (verified: Verified, refusalFor?: (user: User) => Refusal | undefined) =>
      issueTicket(unit as WriteUnit, verified, rules, call, refusalFor),
    ...parts.operationTools,
  };
}
