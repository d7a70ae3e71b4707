import Negotiator from 'negotiator';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';
import type { Caller } from '../answer.ts';
import type { BrowserTools } from '../browser-context.ts';
import type { Actor } from '../domain/administration.ts';
import { API_KEY_BYTES } from '../domain/api-key.ts';
import { APP_PASSWORD_BYTES } from '../domain/app-password.ts';
import type { RegisteredClient } from '../domain/client.ts';
import { widened } from '../domain/language.ts';
import type { ProbeReadiness } from '../domain/probe.ts';
import { bodyUnreadable, isRefusal, type Refusal, type RefusalCode, refuse } from '../domain/refusal.ts';
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
import { confirmed, digestOf, findLive, issueTicket, type TicketRules } from './tickets.ts';

type InputPart = keyof InputSchemas;
type CheckedInput = Partial<Record<InputPart, unknown>>;

/** Checks a call's input against its operation's schemas. Returns the parts that the operation declares. */
export type InputCheck = (call: Call) => CheckedInput | Refusal;

/** Compiles the input check of an operation, once. */
export function inputCheck({ input, api }: AnyOperation): InputCheck {
  const parts = Object.entries(input).map(([part, schema]) => ({
    part: part as InputPart,
    schema,
    validator: Compile(schema),
  }));
  return (call) => {
    const checked: CheckedInput = {};
    for (const { part, schema, validator } of parts) {
      const value = part === 'body' ? call.body() : { json: call[part] };
      if (isRefusal(value)) return value;
      const given = part === 'body' && api?.nullIsLeftOut ? withoutNulls(value.json) : value.json;
      if (!validator.Check(given)) return faultOf(part, validator, schema, given);
      checked[part] = given;
    }
    return checked;
  };
}

/** The refusal that the schema of a member names for this value. `refusalFor` is a pattern: it limits which values. */
function refusalOf(schema: Record<string, unknown> = {}, value: unknown): RefusalCode | undefined {
  const { refusal, refusalFor = '' } = schema;
  return new RegExp(refusalFor as string).test(String(value)) ? (refusal as RefusalCode) : undefined;
}

/** The first fault of `value`: the refusal that the schema of its member names, otherwise a refusal of the whole part. */
function faultOf(part: InputPart, validator: Validator, schema: TSchema, value: unknown): Refusal {
  const [, [fault]] = validator.Errors(value);
  const properties = ('properties' in schema ? schema.properties : {}) as Record<
    string,
    Record<string, unknown>
  >;
  const pointed = fault?.instancePath.split('/')[1];
  const [missing] = fault?.keyword === 'required' ? fault.params.requiredProperties : [];
  const member = pointed || missing;
  if (member === undefined) return bodyUnreadable('it is no JSON object');
  if (part === 'body' && !Object.hasOwn(properties, member)) {
    const taken = Object.keys(properties).join(', ');
    return bodyUnreadable(`it has a member that is not taken here: it takes ${taken}`);
  }
  const code = refusalOf(properties[member], (value as Record<string, unknown>)[member]);
  if (part === 'path' && code === undefined)
    throw new Error(
      `the schema of the path refuses "${member}": make a name Type.Optional that one of the paths lacks, and give a narrowed one its refusal`,
    );
  if (part === 'query' && code === undefined)
    return refuse('argument_invalid', { detail: `${member} (${properties[member]?.description})` });
  if (fault?.keyword === 'type' || code === undefined)
    return bodyUnreadable(`"${member}" is no ${properties[member]?.type}`);
  return refuse(
    code,
    code === 'body_invalid' ? { detail: `${member} is ${properties[member]?.description}` } : {},
  );
}

/** An object without its members that are null; any other value as it is. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

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

/** What a context is made from, besides the call. */
export interface ContextParts {
  readonly rules: TicketRules;
  /** What capabilities give to operations. */
  readonly operationTools: OperationTools;
  readonly probeReadiness: ProbeReadiness;
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
  /** Hosts, besides the own one, to which a sign-in may lead. */
  readonly returnHosts: readonly string[];
  /** What capabilities give to pages. */
  readonly browserTools: BrowserTools;
  /** Seals the short-lived state that browsers keep for the service. */
  readonly cookieSealer: Sealer;
  /** Whether the service asks users for a second factor. */
  readonly asksSecondFactor: boolean;
  /** The waits and lock-outs of names, for administrators. */
  readonly lockOuts: LockOuts;
  /** What administrators are shown of this process. */
  readonly service: RunningService;
}

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
  { passwords, nodes, operationTools, probeReadiness, namesCaseSensitive }: PreparationParts,
): Promise<Prepared | Refusal> {
  const findOutside = nodes?.findOutside;
  const reference = findOutside && operation.scopedTo?.(input as never, call.template);
  const node = reference && (await findOutside(reference));
  if (isRefusal(node)) return node;
  const caller = first && 'caller' in first.principal ? first.principal.caller : undefined;
  const tools = { ...operationTools, passwords: passwords.from(call), probeReadiness };
  const given = { input, browser, role: first?.role, ...tools, ...userContext(caller, namesCaseSensitive) };
  const result = await operation.prepare?.(given as never);
  return isRefusal(result) ? result : { result, node };
}

/**
 * The context of one run of an operation in this transaction: everything that it can use. The tools are spread last: in front, the
 * object gets room for few members, and each validation allocates more.
 */
export function operationContext(
  call: Call,
  unit: ReadUnit | WriteUnit,
  given: OperationArguments,
  node: ScopeNode | undefined,
  {
    rules,
    operationTools,
    operations,
    identity,
    startedAt,
    namesCaseSensitive,
    allPeopleVisible,
    passwordPages,
    asksSecondFactor,
    lockOuts,
    service,
  }: ContextParts,
): object {
  const { input, prepared, caller, client, actor } = given;
  const { keyOf, isCaller } = userContext(caller, namesCaseSensitive);
  const now = rules.clock();
  return {
    input,
    prepared: prepared.result,
    caller,
    keyOf,
    isCaller,
    allPeopleVisible,
    passwordPages,
    asksSecondFactor,
    client,
    actor,
    node,
    store: unit,
    now,
    operations,
    identity,
    startedAt,
    basePath: call.basePath,
    arrival: call.arrival,
    lockOuts,
    service,
    newClientSecret,
    decision: call.decision,
    verified: call.verified,
    isLocked: (user: Pick<Holder, 'lockedUntil'>) => isLockedFor(user, now, rules.lifetime),
    ticketState: (kept: TicketAndOwner) => stateOf(kept, now, rules.lifetime),
    newAppPassword: () => newAppPassword(rules.random(APP_PASSWORD_BYTES)),
    newApiKey: () => newApiKey(rules.random(API_KEY_BYTES)),
    languageAmong: (languages: readonly string[]) => languageAmong(languages, call.acceptLanguage),
    digestOf,
    // Callers mostly ask about the ticket that they presented, which was looked up in this transaction already.
    find: (ticket: string) => (caller?.presented === ticket ? caller.held : findLive(unit, ticket, rules)),
    endOf: ({ ticket }: HeldTicket) => dateOf(endOf(ticket, now, rules.lifetime)),
    confirm: (verified: Verified) => confirmed(unit, verified, now, rules.lifetime),
    issue: (verified: Verified, refusalFor?: (user: User) => Refusal | undefined) =>
      issueTicket(unit as WriteUnit, verified, rules, call, refusalFor),
    ...operationTools,
  };
}

/** Languages of a caller that are looked at. Each is compared with every language that there is. */
const MOST_LANGUAGES = 1_000;

/** Subtags of a caller's language that are looked at. No language that there is has as many. */
const MOST_SUBTAGS = 8;

/** A caller's language and, with the same weight, the wider ones that negotiator does not try: it tries only the widest. */
function withWider(language: string): string | string[] {
  // Most languages have no wider one between, such as en-GB.
  if (language.indexOf('-') === language.lastIndexOf('-')) return language;
  const [tag = '', ...weight] = language.split(';');
  const wider = widened(tag.split('-', MOST_SUBTAGS).join('-')).slice(1, -1);
  return [language, ...wider.map((each) => [each, ...weight].join(';'))];
}

/** The language that the caller prefers (RFC 9110 section 12.5.4), or the first one if the caller accepts none of them. */
export function languageAmong(
  languages: readonly string[],
  acceptLanguage: string | undefined,
): string | undefined {
  if (acceptLanguage === undefined || languages.length === 1) return languages[0];
  const accepted = acceptLanguage.split(',', MOST_LANGUAGES).flatMap(withWider);
  const negotiator = new Negotiator({
    headers: { 'accept-language': accepted.slice(0, MOST_LANGUAGES).join(',') },
  });
  return negotiator.language([...languages]) ?? languages[0];
}
