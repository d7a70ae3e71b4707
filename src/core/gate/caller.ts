import { timingSafeEqual } from 'node:crypto';
import type { Caller } from '../answer.ts';
import type { Actor } from '../domain/administration.ts';
import type { ApiKey } from '../domain/api-key.ts';
import { faultOfClientName, type RegisteredClient } from '../domain/client.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import type { Role } from '../domain/role.ts';
import { type HeldTicket, isOfProgram, shortDigest, type Ticket, type WhyDead } from '../domain/ticket.ts';
import { maskedName } from '../domain/user.ts';
import { isSecretOf } from '../identity/client-secret.ts';
import type { Passwords, Verified } from '../identity/passwords.ts';
import { allOf, chain, type MaybePromise } from '../maybe-promise.ts';
import type { AnyOperation, Authentication } from '../operation.ts';
import type { ReadUnit, Store } from '../storage/store.ts';
import type { Call, CallOutcome, Presented } from './call.ts';
import { isProgramTicket } from './program-ticket.ts';
import { confirmed, findLive, formTokenOf, type TicketLookup, type TicketRules } from './tickets.ts';

/** The caller: a user, a registered client, or a machine with an API key. A caller at level `admin` is an actor, too. */
export type Principal =
  | { readonly caller: Caller; readonly actor?: Actor }
  | { readonly client: RegisteredClient }
  | { readonly apiKey: ApiKey; readonly actor: Actor };

/** Finds who calls. It reads in the unit whose work depends on that. */
export type Authenticate = (unit: ReadUnit) => MaybePromise<Principal | Refusal>;

/** Who calls, as it was before something slow is prepared. */
export interface FirstLook {
  readonly principal: Principal;
  /** The highest role of the user who calls. */
  readonly role: Role | undefined;
}

/** Finds who calls an operation that prepares something. The role is looked up only if the operation sees it. */
export async function firstLook(
  unit: ReadUnit,
  { prepare }: AnyOperation,
  authenticate: Authenticate,
): Promise<FirstLook | Refusal> {
  const principal = await authenticate(unit);
  if (isRefusal(principal)) return principal;
  if (prepare === undefined || !('caller' in principal)) return { principal, role: undefined };
  const { caller } = principal;
  // Programs keep their credentials, so none acts with the role of its user.
  const isRoleless = await isByProgram(unit, caller);
  return { principal, role: isRoleless ? undefined : await unit.roles.of(caller.user.id) };
}

/** Whether the caller presented a credential of programs, or a ticket that was issued for one. */
export async function isByProgram(unit: ReadUnit, caller: Caller): Promise<boolean> {
  if (caller.heldTicket !== undefined) return isProgramTicket(unit, caller.heldTicket.ticket);
  return caller.appPassword !== undefined || caller.isProgram === true;
}

/** Who called, and the ticket by which, if there is one. */
export function nameOf(principal: Principal): Pick<CallOutcome, 'user' | 'digest' | 'client'> {
  if ('client' in principal) return { client: principal.client.name };
  if ('apiKey' in principal) return { client: principal.actor.name };
  const { user, heldTicket } = principal.caller;
  return heldTicket === undefined
    ? { user: user.name }
    : { user: user.name, digest: shortDigest(heldTicket.ticket.digest) };
}

type CallerRefusal = Refusal<
  'authentication_needed' | 'tickets_of_two_users' | 'passwords_unavailable' | 'hash_queue_full'
>;

/** A user name and a password, as Basic presents them (RFC 7617). */
export interface BasicCredentials {
  readonly name: string;
  readonly password: string;
}

/** The user name and password that a call presents. They have to be verified before the transaction. */
export function basicCredentialsOf({ header }: Presented): BasicCredentials | undefined {
  return header !== undefined && 'name' in header ? header : undefined;
}

/** Whether the header holds what may be an access token. */
export function presentsToken({ presented: { header } }: Call): boolean {
  return header !== undefined && 'accessToken' in header;
}

/** The call without its header, if it presents an `alf_ticket`. */
export function byArgumentAlone(call: Call): Call {
  const { presented } = call;
  const hasArgument = presented.arguments.some((text) => text !== '');
  return hasArgument ? { ...call, presented: { ...presented, header: undefined } } : call;
}

/** The level of this call. At level `guest`, `guest=true` in any case needs no credential, as in the reference. */
export function levelOf(authentication: Authentication, { query }: Call): Exclude<Authentication, 'guest'> {
  if (authentication !== 'guest') return authentication;
  return query.guest?.toLowerCase() === 'true' ? 'none' : 'user';
}

/**
 * Why a call is refused by the way in which it came: from a page of another site, as a login by GET where that
 * is switched off (`loginByGet`), or from a browser that may keep no ticket.
 */
export function refusalOfWay(
  { api, takesPassword, refusesCrossSite, authentication }: AnyOperation,
  { crossSite, browser, fromForm }: Call,
  loginByGet: boolean,
): Refusal | undefined {
  if (api?.byCookie && crossSite !== undefined) return refuse('form_of_another_site', { reason: crossSite });
  if (takesPassword && browser?.keepsCookie === false) return refuse('cookie_impossible');
  if (takesPassword && crossSite !== undefined) return refuse('cross_site_login', { reason: crossSite });
  if ((refusesCrossSite || authentication === 'admin') && crossSite !== undefined)
    return refuse('cross_site_change', { reason: crossSite });
  if (takesPassword === 'url' && !loginByGet && !fromForm) return refuse('login_by_get_off');
  return undefined;
}

/** The ticket in the header. An access token that was not verified counts as a ticket with a wrong form. */
function ticketOf({ header }: Presented): string | undefined {
  if (header === undefined) return undefined;
  if ('ticket' in header) return header.ticket;
  return 'accessToken' in header ? header.accessToken : undefined;
}

/** The caller that a live ticket names. The store knows its digest, so the text is a ticket. */
function callerBy(ticket: string, heldTicket: HeldTicket): Caller {
  return { user: heldTicket.user, presented: ticket as Ticket, heldTicket };
}

/** A refused password, as level `user` answers it: with 401, the only status at which clients log in again. */
function asChallenge(refusal: Refusal): CallerRefusal {
  const { refused, detail: _, ...rest } = refusal;
  if (refused === 'hash_queue_full' || refused === 'passwords_unavailable') return refuse(refused, rest);
  return refuse('authentication_needed', { reason: refused, ...rest });
}

const UNPRESENTED = { dead: 'nothing presented' } as const;

interface NoTicket {
  readonly dead: WhyDead | typeof UNPRESENTED.dead;
}

/** The caller that a live `alf_ticket` names, or why there is none. */
function callerByArgument(
  unit: ReadUnit,
  { arguments: texts }: Presented,
  rules: TicketRules,
): MaybePromise<Caller | NoTicket | CallerRefusal> {
  const found = allOf(texts.map((text) => findLive(unit, text, rules)));
  return chain(found, (all) => firstCaller(texts, all));
}

/** The caller that the first live ticket names. Two live tickets of different users are refused. */
function firstCaller(
  texts: readonly string[],
  found: readonly TicketLookup[],
): Caller | NoTicket | CallerRefusal {
  let caller: Caller | undefined;
  let { dead }: NoTicket = UNPRESENTED;
  for (let at = 0; at < texts.length; at += 1) {
    const lookup = found[at] as TicketLookup;
    if ('dead' in lookup) dead = lookup.dead;
    else if (caller !== undefined && caller.user.id !== lookup.user.id) return refuse('tickets_of_two_users');
    else caller ??= callerBy(texts[at] as string, lookup);
  }
  return caller ?? { dead };
}

/**
 * The access token that a call presents for its user. Undefined if there is none, if the operation takes none, or if the argument
 * `alf_ticket` holds a live ticket.
 */
export async function presentedAccessToken(
  { authentication, ticketsOnly, api }: AnyOperation,
  call: Call,
  parts: { readonly store: Store; readonly rules: TicketRules },
): Promise<string | undefined> {
  const { header } = call.presented;
  if (header === undefined || !('accessToken' in header)) return undefined;
  if (levelOf(authentication, call) !== 'user' || ticketsOnly || api?.byCookie) return undefined;
  return (await hasLiveArgument(call, parts)) ? undefined : header.accessToken;
}

/** Whether the argument `alf_ticket` holds a live ticket. It reads nothing if there is no such argument. */
export async function hasLiveArgument(
  { presented }: Call,
  { store, rules }: { readonly store: Store; readonly rules: TicketRules },
): Promise<boolean> {
  if (presented.arguments.length === 0) return false;
  return !('dead' in (await store.read((unit) => callerByArgument(unit, presented, rules))));
}

/**
 * Authenticates a call by its tickets alone: by that in the header, otherwise by `alf_ticket`. A page is not shown to a ticket
 * that was issued to a program.
 */
export async function authenticateByTicket(
  unit: ReadUnit,
  { presented, browser }: Call,
  rules: TicketRules,
): Promise<{ readonly caller: Caller } | Refusal<'ticket_needed'>> {
  const text = ticketOf(presented) ?? '';
  const lookup = text === '' ? UNPRESENTED : await findLive(unit, text, rules);
  if (!('dead' in lookup)) {
    const caller = callerBy(text, lookup);
    const isBarred = browser !== undefined && (await isByProgram(unit, caller));
    return isBarred ? refuse('ticket_needed', { reason: 'ticket of a program' }) : { caller };
  }
  const found = await callerByArgument(unit, presented, rules);
  if (isRefusal(found)) return refuse('ticket_needed', { reason: 'tickets of two users' });
  if (!('dead' in found)) return { caller: found };
  return refuse('ticket_needed', { reason: lookup === UNPRESENTED ? found.dead : lookup.dead });
}

/** Whether a page's form holds the CSRF token of the presented ticket. Other operations have no such forms. */
export function hasFormToken({ api, method }: AnyOperation, { presented }: Call, input: unknown): boolean {
  if (!api?.byCookie || method === 'GET') return true;
  const { formToken } = (input as { readonly body: { readonly formToken: string } }).body;
  const expected = Buffer.from(formTokenOf(ticketOf(presented) ?? ''));
  const bytes = Buffer.from(formToken);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** Verifies a user name and a password, before the transaction. */
export async function verifyBasic(
  { name, password }: BasicCredentials,
  passwords: Passwords,
): Promise<Verified | CallerRefusal> {
  const verified = await passwords.checkRepeated(name, password);
  return isRefusal(verified) ? asChallenge(verified) : verified;
}

/**
 * Authenticates a call without hashing a password: by a live `alf_ticket`, an app password, or a password that was verified
 * a moment ago. Returns undefined if none of them holds.
 */
export function authenticateWithoutHash(
  unit: ReadUnit,
  { presented }: Call,
  { name, password }: BasicCredentials,
  passwords: Passwords,
  rules: TicketRules,
): MaybePromise<Principal | CallerRefusal | undefined> {
  return chain(callerByArgument(unit, presented, rules), (found) => {
    if (isRefusal(found)) return found;
    if (!('dead' in found)) return { caller: found };
    return chain(passwords.withoutHash(unit, name, password), (caller) => caller && { caller });
  });
}

/**
 * Authenticates a user in the operation's own transaction: by a live `alf_ticket`, otherwise by the password that was
 * verified before, otherwise by the ticket in the header.
 */
export function authenticateUser(
  unit: ReadUnit,
  { presented }: Call,
  verified: Verified | undefined,
  rules: TicketRules,
): MaybePromise<Principal | CallerRefusal> {
  return chain(callerByArgument(unit, presented, rules), (found) => {
    if (isRefusal(found)) return found;
    if (!('dead' in found)) return { caller: found };
    return verified === undefined
      ? callerByHeader(unit, ticketOf(presented), found, rules)
      : callerByPassword(unit, verified, rules);
  });
}

async function callerByPassword(
  unit: ReadUnit,
  verified: Verified,
  rules: TicketRules,
): Promise<Principal | CallerRefusal> {
  const user = await confirmed(unit, verified, rules.clock(), rules.lifetime);
  return user === undefined
    ? refuse('authentication_needed', { reason: 'changed meanwhile' })
    : { caller: { user, appPassword: verified.appPassword, isProgram: isOfProgram(verified) } };
}

/** The caller that the ticket in the header names. `dead` is why `alf_ticket` named none. */
function callerByHeader(
  unit: ReadUnit,
  text: string | undefined,
  { dead }: NoTicket,
  rules: TicketRules,
): MaybePromise<Principal | CallerRefusal> {
  if (text === undefined) return refuse('authentication_needed', { reason: dead });
  return chain(findLive(unit, text, rules), (lookup) =>
    'dead' in lookup
      ? refuse('authentication_needed', { reason: lookup.dead })
      : { caller: callerBy(text, lookup) },
  );
}

/** Authenticates a registered client: by its name and secret in Basic (RFC 6749 section 2.3.1), and by nothing else. */
export async function authenticateClient(
  unit: Pick<ReadUnit, 'clients'>,
  { presented: { header } }: Call,
): Promise<Principal | Refusal<'client_unknown'>> {
  if (header === undefined) return refuse('client_unknown');
  if (!('name' in header)) return refuse('client_unknown', { reason: 'a ticket is no client' });
  const { name, password: secret } = header;
  // A text that can be no client's name never reaches the storage.
  const client = faultOfClientName(name) === undefined ? await unit.clients.find(name) : undefined;
  const isRight = isSecretOf(client, secret);
  // Events are counted by their reason, so it holds no name that callers make up. Such a name is in the log only.
  if (client === undefined)
    return refuse('client_unknown', { reason: 'unknown client', user: maskedName(name) });
  return isRight ? { client } : refuse('client_unknown', { reason: `wrong secret of ${client.name}` });
}
