import type { Answer } from '../answer.ts';
import { type Actor, actorOfKey } from '../domain/administration.ts';
import { isUsable } from '../domain/api-key.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import { type KeyRole, suffices } from '../domain/role.ts';
import { digestOfSecret } from '../identity/client-secret.ts';
import type { Verified } from '../identity/passwords.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { AnyOperation } from '../operation.ts';
import type { ReadUnit } from '../storage/store.ts';
import type { Call } from './call.ts';
import { authenticateByTicket, authenticateUser, isByProgram, type Principal } from './caller.ts';
import type { TicketRules } from './tickets.ts';

type AdminRefusal = Refusal<'admin_credential_needed' | 'role_needed'>;

/**
 * Authenticates a call at level `admin` (specification, section 16), by an API key or a live ticket only; by `verified`, too, which
 * is there if the API takes passwords. Refuses a caller with a lower role than the operation needs. Some APIs take API keys alone.
 */
export function authenticateAdministrator(
  unit: ReadUnit,
  call: Call,
  { api, role = 'administrator' }: Pick<AnyOperation, 'api' | 'role'>,
  rules: TicketRules,
  verified?: Verified,
): Promise<Principal | AdminRefusal> {
  const { header } = call.presented;
  if (header !== undefined && 'apiKey' in header)
    return administratorByKey(unit, header.apiKey, role, rules.clock());
  return api?.apiKeysOnly
    ? Promise.resolve(refuse('admin_credential_needed', { detail: 'here it has to be an API key' }))
    : administratorOf(unit, role, () =>
        verified === undefined
          ? authenticateByTicket(unit, call, rules)
          : authenticateUser(unit, call, verified, rules),
      );
}

async function administratorByKey(
  unit: ReadUnit,
  text: string,
  needed: KeyRole,
  now: number,
): Promise<Principal | AdminRefusal> {
  const apiKey = await unit.apiKeys.findByDigest(digestOfSecret(text));
  if (apiKey === undefined) return refuse('admin_credential_needed', { reason: 'unknown API key' });
  const { name, role } = apiKey;
  if (!isUsable(apiKey, now)) return refuse('admin_credential_needed', { reason: `expired API key ${name}` });
  const actor: Actor = { name: actorOfKey(name), role };
  return suffices(role, needed) ? { apiKey, actor } : roleNeeded(needed, { apiKey: name });
}

/** Programs keep these credentials, and a person who reads one there must not administer with it. */
const BY_PROGRAM =
  'a ticket that was issued for an app password or an access token does not administer: use an API key';

/** The administrator whom `authenticate` finds, by a ticket or a verified password. */
async function administratorOf(
  unit: ReadUnit,
  needed: KeyRole,
  authenticate: () => MaybePromise<Principal | Refusal>,
): Promise<Principal | AdminRefusal> {
  const found = await authenticate();
  if (isRefusal(found)) return { ...found, refused: 'admin_credential_needed' };
  if (!('caller' in found)) return refuse('admin_credential_needed');
  if (await isByProgram(unit, found.caller))
    return refuse('admin_credential_needed', {
      detail: BY_PROGRAM,
      reason: 'ticket of a program',
    });
  const { user } = found.caller;
  const role = await unit.roles.of(user.id);
  if (role === undefined || !suffices(role, needed))
    return { ...roleNeeded(needed, { user: user.name }), ...(role && { role }) };
  return { ...found, actor: { name: user.name, role, user } };
}

/** What a call at SCIM lacks: administrators' keys are not good there, so that a provider holds no such key. */
const SCIM_KEY = 'an API key with the role scim: add one with "tessera api-keys add NAME --role scim"';

/**
 * Names the role that is needed, so that the caller knows what to ask an administrator for. An event names it too, with the
 * user or the API key.
 */
export function roleNeeded(role: KeyRole, by: { readonly user: string } | { readonly apiKey: string }) {
  const detail = `it needs ${role === 'scim' ? SCIM_KEY : role}`;
  return 'user' in by
    ? refuse('role_needed', { detail, reason: detail, user: by.user })
    : refuse('role_needed', { detail, reason: `it needs ${role}: API key ${by.apiKey}` });
}

/**
 * Performs a change. With `If-Match`, it does so only if the GET at the same path would answer with that `ETag` in this
 * transaction. If that GET refuses, so does the change.
 */
export async function performIfMatched(
  { ifMatch, perform }: AnyOperation,
  isMatch: NonNullable<Call['isMatch']>,
  context: object,
): Promise<Answer<unknown> | Refusal> {
  const state = await ifMatch?.perform(context as never);
  if (state !== undefined && !isRefusal(state) && !isMatch(ifMatch?.output as never, state.value))
    return refuse('changed_meanwhile');
  return perform(context as never);
}
