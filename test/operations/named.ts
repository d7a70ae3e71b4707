import { newGroup } from '../../src/core/domain/group.ts';
import type { Digest } from '../../src/core/domain/ticket.ts';
import { newUser, type User } from '../../src/core/domain/user.ts';
import type { WriteUnit } from '../../src/core/storage/store.ts';

/** The digest of the ticket that carol has. */
export const DIGEST_OF_CAROL = 'c0ffee00'.padEnd(64, '0') as Digest;

/** Stands for the hash of an unknown password. */
const HASH = '$argon2id$v=19$m=8,t=1,p=1$lywI0SWy1j1lCVw7hG5lmg$UL9IQVuhOrZh34+Z7vRC60IuPchq/dYDLV/2vnm4m78';

async function withUser({ users }: WriteUnit, name: string, passwordHash?: string): Promise<User> {
  const added = await users.add(newUser(name, { namesCaseSensitive: false, passwordHash }));
  const user = added ?? (await users.findByKey(name));
  if (user === undefined) throw new Error(`the store neither has nor adds "${name}"`);
  return user;
}

async function withGroup({ groups }: WriteUnit, name: string): Promise<number> {
  const group = newGroup(name);
  const { id = 0 } = (await groups.add(group)) ?? (await groups.findByKey(group.key)) ?? {};
  await groups.change(id, group);
  return id;
}

async function withoutWhatIsAdded({ users, groups, apiKeys, clients }: WriteUnit): Promise<void> {
  await apiKeys.remove('deploy');
  await clients.remove('api-gateway');
  await clients.remove('grafana');
  const dora = await users.findByKey('dora');
  if (dora !== undefined) await users.remove(dora.id);
  const editors = await groups.findByKey('editors');
  if (editors !== undefined) await groups.remove(editors.id);
}

/**
 * Has the store as the examples of the descriptors need it, beside alice and her ticket: what they name is there, and what
 * they add is not.
 */
export async function addNamed(unit: WriteUnit): Promise<void> {
  const { apiKeys, applications, appPasswords, clients, profiles, groups, recoveryCodes, tickets } = unit;
  const { signingKeys } = unit;
  await withoutWhatIsAdded(unit);
  await clients.add({ name: 'portal', secretDigest: Buffer.alloc(32, 2), addedAt: 1 });
  await clients.add({ name: 'grafana', secretDigest: Buffer.alloc(32, 4), addedAt: 1 });
  await applications.put('grafana', { redirectUris: ['https://grafana.example.org/login'] });
  await signingKeys.add({
    ...{ kid: 'k', alg: 'RS256', sealed: Buffer.alloc(1), addedAt: 1, retiredAt: undefined },
  });
  await apiKeys.add({
    ...{ name: 'backup', digest: Buffer.alloc(32, 1), role: 'auditor', addedAt: 1 },
    ...{ expiresAt: undefined, usedAt: undefined },
  });
  const [carol, dave] = [await withUser(unit, 'carol', HASH), await withUser(unit, 'dave')];
  await profiles.put(carol.id, {});
  await tickets.end(DIGEST_OF_CAROL);
  const issued = { userId: carol.id, userGeneration: carol.generation, serverGeneration: 0 };
  await tickets.issue({ digest: DIGEST_OF_CAROL, ...issued, issuedAt: Date.now(), usedAt: Date.now() });
  await appPasswords.remove(carol.id, 'scanner');
  await recoveryCodes.put(carol.id, [Buffer.alloc(32, 7)]);
  await appPasswords.add({
    ...{ userId: carol.id, name: 'mail', digest: Buffer.alloc(32, 3), madeAt: 1, usedAt: undefined },
    ...{ expiresAt: undefined, addresses: [] },
  });
  await unit.webhooks.setReceivers([{ id: 'siem', kinds: [] }]);
  const staff = await withGroup(unit, 'staff');
  await groups.removeUser(staff, carol.id);
  await groups.addUser(staff, dave.id);
  await groups.addGroup(staff, await withGroup(unit, 'interns'));
  await groups.removeGroup(staff, await withGroup(unit, 'guests'));
}
