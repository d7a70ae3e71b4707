import { randomBytes } from 'node:crypto';
import { newGroup } from '../../../../src/core/domain/group.ts';
import { PROFILE_FIELDS } from '../../../../src/core/domain/profile.ts';
import { bytesOf, type TicketOrigin } from '../../../../src/core/domain/ticket.ts';
import { type Store, StoreUnavailable, type WriteUnit } from '../../../../src/core/storage/store.ts';
import { PARTS, type Scalar, type TransferRow } from '../../../../src/core/storage/transfer.ts';
import type { TransferSide } from '../../../../src/core/storage/transfer-sides.ts';
import {
  aCounter,
  addUser,
  aKey,
  anAppPassword,
  aTicket,
  issue,
  issueFrom,
  MINUTE,
  NOW,
} from '../../../core/storage/conformance/samples.ts';

const NODE = { store: 'workspace://SpacesStore', type: 'cm:folder', parent: 'company-home' };
/** Texts whose order differs between UTF-8 and UTF-16, and that PostgreSQL has to escape. */
export const ODD_NAMES = ['zwölf', '\ufb01', '\u{1f600}', 'a\u0000b', 'a\u0001', 'a\u0001b'];

/** Fills a store with some rows of every kind, all unusual. Returns the user ada, who has a ticket. */
export async function fill(store: Store) {
  const ada = await addUser(store, 'ada', {
    generation: 3,
    administrator: true,
    mustChangePassword: true,
    provider: 'ldap',
    hasSecondFactor: true,
    secondFactorAskedAt: NOW,
    lastLoginAt: NOW,
  });
  await addUser(store, 'Émile', { passwordHash: undefined, disabled: true });
  await addUser(store, 'zoß', { lockedUntil: 8_640_000_000_000_000 });
  const gone = await addUser(store, 'gone');
  await issue(
    store,
    ...[1, 2, 3].map((n) => aTicket(n, ada, { usedAt: NOW + n, serverGeneration: 1 })),
    aTicket(7, gone),
  );
  const [program, appPassword] = ['Mozilla/5.0 \u{1f600}', 'Outlook \ufb01'];
  const origins: readonly Partial<TicketOrigin>[] = [
    { tokenProvider: 'acme', methods: ['fed'] },
    { program, appPassword },
    { program, application: 'grafana', methods: ['pwd', 'otp'] },
  ];
  for (const [n, origin] of origins.entries())
    await issueFrom(
      store,
      { from: '192.0.2.1', program: undefined, appPassword: undefined, ...origin },
      aTicket(n + 4, ada, { usedAt: NOW + n + 4, serverGeneration: 1 }),
    );
  await store.write(async (unit) => {
    const { users, clients, tickets, ticketParents, attempts, events, nodes } = unit;
    await fillPeople(unit, ada.id, gone.id);
    for (const { id } of [ada, gone]) await fillFactors(unit, id);
    await users.noteRevocation(ada.id, NOW);
    await users.remove(gone.id);
    await users.setNamesCaseSensitive(true);
    await tickets.raiseServerGeneration();
    await ticketParents.put(aTicket(1, ada).digest, aTicket(9, ada).digest, NOW);
    await attempts.put(aKey('one'), undefined, aCounter());
    await attempts.put(aKey('two'), aKey('ada'), aCounter({ waitUntil: NOW + MINUTE }));
    for (const address of ['192.0.2.1', '192.0.2.10', '2001:db8::1'])
      await attempts.setFamiliar(ada.id, address, NOW);
    for (const name of ODD_NAMES) await nodes.put({ ...NODE, id: name, name });
    await nodes.put({ store: 'archive://Store', id: 'root', type: 'cm:folder', name: 'Root' });
    await clients.add({ name: 'gateway', secretDigest: bytesOf(aTicket(9, ada).digest), addedAt: NOW });
    await fillProvider(unit, ada.id);
    await fillWebhooks(unit);
    await events.append({
      at: NOW,
      kind: 'login',
      user: 'ada',
      from: '192.0.2.1',
      program: 'Mozilla/5.0 \u{1f600}',
      digest: 'abcdef01',
      actor: 'root',
    });
    await events.tally({ at: NOW, kind: 'ticket-refused', reason: 'unknown' }, 7);
    await events.append({ at: NOW - MINUTE, kind: 'expiry' });
    await events.sweep(NOW, 1);
  });
  return ada;
}

/** An application, what is kept of a code of it, and a retired key. */
async function fillProvider({ applications, providerEntries, signingKeys }: WriteUnit, userId: number) {
  await applications.put('gateway', { redirectUris: ['https://a.example/back'], title: '\ufb01 \u{1f600}' });
  const [digest, grantDigest, ticketDigest, aliasDigest] = [32, 32, 32, 32].map((length) =>
    randomBytes(length),
  );
  if (digest === undefined) throw new Error('no bytes');
  const digests = { digest, grantDigest, ticketDigest, aliasDigest };
  const about = { kind: 'AuthorizationCode', payload: '{"a":"\u{1f600}"}', client: 'gateway', userId };
  await providerEntries.put({ ...digests, ...about, expiresAt: NOW + MINUTE, consumedAt: NOW });
  await signingKeys.add({
    kid: 'one',
    alg: 'RS256',
    sealed: randomBytes(90),
    addedAt: NOW,
    retiredAt: NOW + 1,
  });
}

/** Receivers of webhooks, a delivery that waits and one that was given up. */
async function fillWebhooks({ events, webhooks }: WriteUnit) {
  await webhooks.setReceivers([
    { id: 'siem', kinds: ['lock', 'unlock'] },
    { id: 'log', kinds: [] },
  ]);
  const event = {
    at: NOW,
    kind: 'lock',
    user: 'ada',
    actor: 'root',
    from: '192.0.2.1',
    program: 'curl/8.5.0',
    reason: 'x',
  } as const;
  await events.append(event);
  for (const dead of await webhooks.take('siem', NOW, NOW + MINUTE, 1)) await webhooks.giveUp(dead, NOW);
  await webhooks.noteDelivered('siem', NOW);
  await webhooks.noteFault('siem', NOW, 'answered 410');
  await webhooks.noteGone('siem', NOW);
}

/** Profiles, identities, roles, groups, API keys and app passwords, of one user who stays and one who goes. */
async function fillPeople(unit: WriteUnit, stays: number, goes: number) {
  const { profiles, roles, groups, apiKeys, appPasswords, externalIdentities, externalIds, freedNames } =
    unit;
  for (const id of [stays, goes]) {
    await profiles.put(id, Object.fromEntries(PROFILE_FIELDS.map((field) => [field, `${field} a\u{1f600}`])));
    await roles.give(id, 'auditor');
    const identity = {
      userId: id,
      provider: 'ldap',
      subject: `${id} \u{1f600}`,
      groups: ['Staff', 'a\u{1f600}'],
    };
    await externalIdentities.put({ ...identity, checkedAt: NOW, disabledThere: true });
    await externalIds.put('user', id, `\ufb01 ${id}`);
  }
  const [outer, inner] = [await groups.add(newGroup('\ufb01')), await groups.add(newGroup('Staff'))];
  if (outer === undefined || inner === undefined) throw new Error('a group is there already');
  await groups.addGroup(outer.id, inner.id);
  await externalIds.put('group', inner.id, 'Staff \u{1f600}');
  await freedNames.put({ key: '\ufb01 one', userId: stays, externalId: 'a\u{1f600}', freeAt: NOW });
  await freedNames.put({ key: 'two', userId: goes, externalId: undefined, freeAt: NOW + MINUTE });
  await groups.change(outer.id, { role: 'operator', displayName: 'Outer' });
  for (const id of [stays, goes]) await groups.addUser(inner.id, id);
  const key = { digest: randomBytes(32), role: 'operator', addedAt: NOW } as const;
  await apiKeys.add({ ...key, name: 'one', expiresAt: NOW + MINUTE, usedAt: undefined });
  await apiKeys.add({ ...key, name: 'two', digest: randomBytes(32), expiresAt: undefined, usedAt: NOW });
  for (const id of [stays, goes]) {
    const used = { digest: randomBytes(32), usedAt: NOW, expiresAt: NOW + MINUTE };
    await appPasswords.add(anAppPassword(1, id, 'Outlook \ufb01', { digest: randomBytes(32) }));
    await appPasswords.add(
      anAppPassword(1, id, 'cron', { ...used, addresses: ['192.0.2.1', '2001:db8::/64'] }),
    );
  }
}

/** An authenticator app, recovery codes and passkeys of one user. One passkey was used, and one was not. */
async function fillFactors(
  { passkeys, passwordLinks, recoveryCodes, totpSecrets }: WriteUnit,
  userId: number,
) {
  await totpSecrets.put({ userId, secret: randomBytes(90), madeAt: NOW, lastStep: 59_000_000 });
  await recoveryCodes.put(userId, [randomBytes(32), randomBytes(32)]);
  for (const purpose of ['invitation', 'password-reset'] as const)
    await passwordLinks.put({ userId, purpose, digest: randomBytes(32), generation: 1, expiresAt: NOW });
  const common = { userId, userHandle: randomBytes(32), transports: ['usb', 'nfc'], madeAt: NOW };
  for (const [name, usedAt] of [['phone \u{1f600}', NOW] as const, ['key', undefined] as const])
    await passkeys.add({
      ...{ ...common, name, usedAt, credentialId: randomBytes(64), publicKey: randomBytes(77) },
      ...{ signCount: 4_294_967_295, challengeAt: NOW },
    });
}

/** The row of a user with defaults in all other columns, however many there are. */
export function aUserRow(id: number, key: string): TransferRow {
  const own: Readonly<Record<string, Scalar>> = { id, key, name: key };
  const bare = { number: 0, text: '', bytes: null, flag: false };
  const { columns = {} } = PARTS.find(({ name }) => name === 'users') ?? {};
  return Object.entries(columns).map(([column, kind]) => own[column] ?? bare[kind]);
}

/** All rows of one side of a copy. */
export async function everythingOn(side: TransferSide): Promise<Record<string, TransferRow[]>> {
  const all: Record<string, TransferRow[]> = {};
  for (const part of PARTS) all[part.name] = await side.page(part, undefined, 100_000);
  return all;
}

/** The message of the refused work. Throws if the work succeeds or fails in another way. */
export async function whyRefused(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (error instanceof StoreUnavailable) return error.message;
    throw error;
  }
  throw new Error('it was not refused');
}
