import type { Catalogue } from '../catalogue/catalogue.ts';
import type { RegisteredClient } from '../domain/client.ts';
import type { Node } from '../domain/node.ts';
import type { ServerIdentity } from '../domain/server-identity.ts';
import { endOf, type HeldTicket } from '../domain/ticket.ts';
import { userKey } from '../domain/user.ts';
import type { Verified } from '../identity/verifier.ts';
import type { AnyOperation, Caller } from '../operation.ts';
import type { ReadUnit, WriteUnit } from '../storage/store.ts';
import type { Call } from './call.ts';
import { languageAmong } from './language.ts';
import { digestOf, findLive, issueTicket, type TicketRules } from './tickets.ts';

/** What was made ready for an operation outside its transaction. */
export interface Prepared {
  readonly result: unknown;
  /** The node that the call is scoped to, where it was asked for elsewhere. */
  readonly node?: Node | undefined;
}

/** What an operation gets beside its transaction. */
export interface OperationArguments {
  readonly input: unknown;
  readonly prepared: Prepared;
  readonly caller?: Caller | undefined;
  readonly client?: RegisteredClient | undefined;
}

/** What a context is made from, beside the call. */
export interface ContextParts {
  readonly rules: TicketRules;
  /** The catalogue in force. */
  readonly catalogue: () => Catalogue;
  /** Every operation that is served. */
  readonly operations: readonly AnyOperation[];
  /** What the service calls itself. */
  readonly identity: ServerIdentity;
  /** Whether user names differ by case. */
  readonly namesCaseSensitive: boolean;
}

/** An instant that a date can name and four digits of a year can write (RFC 3339); later is as good as never. */
function dateOf(at: number): number | undefined {
  return at < Date.UTC(10_000) ? at : undefined;
}

/** The context of one run of an operation in this transaction: all that it can use. */
export function operationContext(
  call: Call,
  unit: ReadUnit | WriteUnit,
  given: OperationArguments,
  node: Node | undefined,
  { rules, catalogue, operations, identity, namesCaseSensitive }: ContextParts,
): object {
  const { input, prepared, caller, client } = given;
  const now = rules.clock();
  const keyOf = (name: string) => userKey(name, namesCaseSensitive);
  return {
    input,
    prepared: prepared.result,
    caller,
    isCaller: (name: string) => caller !== undefined && keyOf(name) === keyOf(caller.user.name),
    client,
    node,
    store: unit,
    now,
    catalogue: catalogue(),
    operations,
    identity,
    basePath: call.basePath,
    languageAmong: (languages: readonly string[]) => languageAmong(languages, call.acceptLanguage),
    digestOf,
    // What a caller asks about is mostly what it presented: that was looked up in this transaction already.
    find: (ticket: string) => (caller?.presented === ticket ? caller.held : findLive(unit, ticket, rules)),
    endOf: ({ ticket }: HeldTicket) => dateOf(endOf(ticket, now, rules.lifetime)),
    issue: (verified: Verified) => issueTicket(unit as WriteUnit, verified, rules, call.address),
  };
}
