import { randomInt } from 'node:crypto';
import type { Node } from '../../../src/capabilities/action-definitions/domain/node.ts';
import type { PasswordLink } from '../../../src/capabilities/mail/tables/password-links.ts';
import type { ApplicationSettings } from '../../../src/capabilities/oidc-provider/application.ts';
import type { ProviderEntry } from '../../../src/capabilities/oidc-provider/tables/entries.ts';
import type { SigningKey } from '../../../src/capabilities/oidc-provider/tables/signing-keys.ts';
import type { Provisioned } from '../../../src/capabilities/people/tables/external-ids.ts';
import type { ApiKey } from '../../../src/core/domain/api-key.ts';
import type { AppPassword } from '../../../src/core/domain/app-password.ts';
import type { RegisteredClient } from '../../../src/core/domain/client.ts';
import type { RecordedEvent } from '../../../src/core/domain/event.ts';
import type { ExternalIdentity } from '../../../src/core/domain/external-identity.ts';
import type { FreedName } from '../../../src/core/domain/freed-name.ts';
import type { Group } from '../../../src/core/domain/group.ts';
import type { Counter } from '../../../src/core/domain/lockout.ts';
import type { Passkey } from '../../../src/core/domain/passkey.ts';
import type { Profile } from '../../../src/core/domain/profile.ts';
import type { Role } from '../../../src/core/domain/role.ts';
import type { TotpSecret } from '../../../src/core/domain/second-factor.ts';
import type { Digest, KeptTicket, TicketOrigin } from '../../../src/core/domain/ticket.ts';
import type { User } from '../../../src/core/domain/user.ts';
import { StagedMap } from './staged-map.ts';
import type { KeptDelivery, KeptReceiver } from './webhooks.ts';

/** A counter with the name that it belongs to. */
export interface NamedCounter extends Counter {
  readonly key: string;
  readonly name: string | undefined;
}

/** What the memory engine keeps: a map for each table, and numbers that only rise. */
export interface Tables {
  readonly users: StagedMap<number, User>;
  readonly revocations: StagedMap<number, number>;
  readonly removedNames: StagedMap<string, true>;
  readonly tickets: StagedMap<Digest, KeptTicket>;
  readonly origins: StagedMap<Digest, TicketOrigin>;
  readonly ticketParents: StagedMap<Digest, { digest: Digest; parent: Digest; checkedAt: number }>;
  readonly attempts: StagedMap<string, NamedCounter>;
  readonly familiar: StagedMap<string, { userId: number; address: string; at: number }>;
  readonly events: StagedMap<number, RecordedEvent & { minute: number | undefined }>;
  readonly nodes: StagedMap<string, Node>;
  readonly clients: StagedMap<string, RegisteredClient>;
  readonly applications: StagedMap<string, ApplicationSettings>;
  readonly entries: StagedMap<string, ProviderEntry>;
  readonly signingKeys: StagedMap<string, SigningKey>;
  readonly profiles: StagedMap<number, Profile>;
  readonly roles: StagedMap<number, Role>;
  readonly groups: StagedMap<number, Group>;
  readonly memberships: StagedMap<string, { groupId: number; userId: number }>;
  readonly nestings: StagedMap<string, { groupId: number; memberId: number }>;
  readonly apiKeys: StagedMap<string, ApiKey>;
  readonly appPasswords: StagedMap<string, AppPassword>;
  readonly totpSecrets: StagedMap<number, TotpSecret>;
  readonly recoveryCodes: StagedMap<string, { userId: number; digest: Buffer }>;
  readonly passwordLinks: StagedMap<string, PasswordLink>;
  readonly passkeys: StagedMap<string, Passkey>;
  readonly identities: StagedMap<number, ExternalIdentity>;
  readonly externalIds: StagedMap<string, { kind: Provisioned; id: number; externalId: string }>;
  readonly freedNames: StagedMap<string, FreedName>;
  readonly receivers: StagedMap<string, KeptReceiver>;
  readonly deliveries: StagedMap<string, KeptDelivery>;
  readonly numbers: StagedMap<
    'generation' | 'lastUser' | 'lastEvent' | 'lastGroup' | 'namesCaseSensitive' | 'databaseId',
    number
  >;
}

export function emptyTables(): Tables {
  const numbers: Tables['numbers'] = new StagedMap();
  numbers.set('databaseId', randomInt(2 ** 47));
  numbers.commit();
  return {
    users: new StagedMap(),
    revocations: new StagedMap(),
    removedNames: new StagedMap(),
    tickets: new StagedMap(),
    origins: new StagedMap(),
    ticketParents: new StagedMap(),
    attempts: new StagedMap(),
    familiar: new StagedMap(),
    events: new StagedMap(),
    nodes: new StagedMap(),
    clients: new StagedMap(),
    applications: new StagedMap(),
    entries: new StagedMap(),
    signingKeys: new StagedMap(),
    profiles: new StagedMap(),
    roles: new StagedMap(),
    groups: new StagedMap(),
    memberships: new StagedMap(),
    nestings: new StagedMap(),
    apiKeys: new StagedMap(),
    appPasswords: new StagedMap(),
    totpSecrets: new StagedMap(),
    recoveryCodes: new StagedMap(),
    passwordLinks: new StagedMap(),
    passkeys: new StagedMap(),
    identities: new StagedMap(),
    externalIds: new StagedMap(),
    freedNames: new StagedMap(),
    receivers: new StagedMap(),
    deliveries: new StagedMap(),
    numbers,
  };
}

/** Whether a unit reads what is committed, or what it has staged. */
export type Sight = 'committed' | 'staged';

export function one<K, V>(table: StagedMap<K, V>, key: K, sight: Sight): V | undefined {
  return sight === 'committed' ? table.read(key) : table.get(key);
}

export function every<K, V>(table: StagedMap<K, V>, sight: Sight): V[] {
  return sight === 'committed' ? table.readAll() : table.all();
}

/** The order of code points, which engines sort in; `<` compares UTF-16 units. */
export function byCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The next number of a row, never given twice. */
export function next(tables: Tables, which: 'lastUser' | 'lastEvent' | 'lastGroup'): number {
  const number = (tables.numbers.get(which) ?? 0) + 1;
  tables.numbers.set(which, number);
  return number;
}
