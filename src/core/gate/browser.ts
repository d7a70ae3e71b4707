import type { BrowserContext } from '../browser-context.ts';
import type { Actor } from '../domain/administration.ts';
import { isRefusal } from '../domain/refusal.ts';
import { requestOriginOf } from '../domain/request-origin.ts';
import { suffices } from '../domain/role.ts';
import type { AnyOperation } from '../operation.ts';
import { openText, type Sealer, sealedText } from '../sealing/sealer.ts';
import { roleNeeded } from './administration.ts';
import type { Call } from './call.ts';
import { type InputCheck, inputCheck } from './input-check.ts';
import type { ContextParts } from './operation-context.ts';
import { formTokenOf } from './tickets.ts';

/** The input checks of operations that pages perform: each is compiled once. */
const checks = new WeakMap<AnyOperation, InputCheck>();

function checkOf(operation: AnyOperation): InputCheck {
  const cached = checks.get(operation);
  if (cached !== undefined) return cached;
  const check = inputCheck(operation);
  checks.set(operation, check);
  return check;
}

/** The input of an operation that a page performs. */
type InputBehind = Partial<Record<'path' | 'query' | 'body', Readonly<Record<string, never>>>>;

/** How pages seal what a browser keeps for them. */
function sealedFor(sealer: Sealer, now: number): Pick<BrowserContext, 'seal' | 'unseal'> {
  return {
    seal: (purpose, object, lifetime) => sealedText(sealer, purpose, object, now + lifetime),
    unseal: (purpose, text) => openText(sealer, purpose, text, now),
  };
}

type BrowserParts = Pick<ContextParts, 'brand' | 'returnHosts' | 'browserTools' | 'cookieSealer' | 'rules'>;

/** The browser that asks for a page; undefined if the call is for no page. */
export function browserOf(
  call: Call,
  { brand, returnHosts, browserTools, cookieSealer, rules }: BrowserParts,
): Omit<BrowserContext, 'run'> | undefined {
  const { browser, presented } = call;
  if (browser === undefined) return undefined;
  const ticket = presented.header && 'ticket' in presented.header ? presented.header.ticket : undefined;
  const requestOrigin = requestOriginOf(call);
  const sealed = sealedFor(cookieSealer, rules.clock());
  return { ...browser, ...browserTools, ...sealed, requestOrigin, brand, returnHosts, ticket, formTokenOf };
}

/** Adds the browser to the context of a page, with what performs other operations behind the page. */
export function withBrowser(
  context: object & { readonly actor?: Actor | undefined },
  call: Call,
  parts: BrowserParts,
): object {
  const run = (operation: AnyOperation, input: InputBehind, prepared?: unknown) =>
    perform(operation, input, call, { ...context, prepared });
  return { ...context, browser: { ...browserOf(call, parts), run } };
}

async function perform(
  operation: AnyOperation,
  { path = {}, query = {}, body = {} }: InputBehind,
  call: Call,
  context: { readonly actor?: Actor | undefined; readonly prepared: unknown },
) {
  const { role } = operation;
  const { actor } = context;
  if (role !== undefined && !suffices(actor?.role, role))
    return roleNeeded(role, { user: actor?.name ?? '' });
  const input = checkOf(operation)({ ...call, path, query, body: () => ({ json: body }) });
  if (isRefusal(input)) return input;
  return operation.perform({ ...context, input } as never);
}
