import { wireNameOf } from '../../core/domain/group.ts';
import { type Refusal, refuse } from '../../core/domain/refusal.ts';
import { digestFrom, type HeldTicket } from '../../core/domain/ticket.ts';
import type { VerifyToken } from '../../core/gate/call.ts';
import { presentedAccessToken } from '../../core/gate/caller.ts';
import type { Verified } from '../../core/identity/passwords.ts';
import type { ReadUnit } from '../../core/storage/store.ts';
import type { OpeningParts } from '../capability.ts';
import { mayUse } from './application.ts';
import { entryKey } from './identifiers.ts';
import type { ProviderEntry } from './tables/entries.ts';
import { liveTicket } from './tickets.ts';

type OwnTokenParts = Pick<OpeningParts, 'store' | 'ticketRules' | 'clock' | 'bookkeeping'>;

/** Events have the reason alone. The program gets the reason and how to mend it. */
const refused = (reason: string, mend: string) =>
  refuse('access_token_refused', { detail: `${reason}: ${mend}`, reason });

/** The live ticket of the token; undefined if it or the ticket has ended. */
async function ticketOf(
  unit: ReadUnit,
  { expiresAt = 0, ticketDigest }: ProviderEntry,
  { clock, ticketRules }: OwnTokenParts,
): Promise<HeldTicket | undefined> {
  if (expiresAt <= clock() || ticketDigest === undefined) return undefined;
  return liveTicket(unit, digestFrom(ticketDigest), ticketRules);
}

/** The user for whom an application may call with this token, or why it may not; undefined if the token is none of this service. */
async function verifiedBy(
  unit: ReadUnit,
  key: Buffer,
  parts: OwnTokenParts,
): Promise<Verified | Refusal | undefined> {
  const entry = await unit.providerEntries.find(key);
  if (entry === undefined) return undefined;
  const held = await ticketOf(unit, entry, parts);
  if (held === undefined) return refused('own token ended', 'refresh it, or have the user sign in again');
  const application = await unit.applications.find(entry.client ?? '');
  if (!application?.settings.actsForUser)
    return refused('application may not act for users', 'an administrator gives it actsForUser');
  const { aud = application.name, ...payload } = JSON.parse(entry.payload);
  if (aud !== application.name)
    return refused('own token for another resource', 'send one that was asked for without resource');
  if ('jkt' in payload) return refused('own token bound to a key', 'send one that is bound to none');
  const user = await unit.users.find(held.user.id);
  if (user === undefined) return undefined;
  if (!mayUse((await unit.groups.ofUser(user.id)).map(wireNameOf), application.settings))
    return refused(
      'own token of a user who may not use the application',
      'an administrator adds the user to its groups',
    );
  parts.bookkeeping.used(held, parts.clock());
  return {
    userId: user.id,
    generation: user.generation,
    passwordHash: user.passwordHash,
    application: application.name,
    methods: [],
    isKeptIn: async (later) => {
      const kept = await later.providerEntries.find(key);
      return kept !== undefined && (await ticketOf(later, kept, parts)) !== undefined;
    },
  };
}

/** Verifies access tokens of this service, with which applications call its API for their users (RFC 6750). */
export const verifyOwnTokens =
  (parts: OwnTokenParts): VerifyToken =>
  async (operation, call) => {
    const token = await presentedAccessToken(operation, call, { ...parts, rules: parts.ticketRules });
    if (token === undefined) return undefined;
    return parts.store.read((unit) => verifiedBy(unit, entryKey('AccessToken', token), parts));
  };
