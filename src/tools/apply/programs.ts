import type { Application } from '../../capabilities/oidc-provider/application.ts';
import {
  bringApplication,
  membersChanged,
} from '../../capabilities/oidc-provider/rules/bring-application.ts';
import type { ApiKey } from '../../core/domain/api-key.ts';
import type { RegisteredClient } from '../../core/domain/client.ts';
import type { ChangeEvent } from '../../core/domain/event.ts';
import { isoTime } from '../../core/domain/iso-time.ts';
import { refuse } from '../../core/domain/refusal.ts';
import type { PlanStep, ShownValue, StateChange, Unnamed } from './plan.ts';
import type { WantedApiKey, WantedApplication, WantedClient } from './wanted.ts';

/** Secrets are compared, and not shown. */
const OTHER_SECRET = { from: 'another one', to: 'that of the file' } as const;

const clientEvent = (kind: 'client-added' | 'client-removed', reason: string): ChangeEvent => ({
  kind,
  reason,
});

const taken = (what: string, name: string) =>
  refuse('name_taken', {
    detail: `there is ${what} "${name}" already, added meanwhile: give the command again`,
  });

/** The steps that bring registered clients into the state of the document. */
export function clientSteps(
  targets: readonly WantedClient[],
  stored: readonly RegisteredClient[],
): PlanStep[] {
  return targets.flatMap(({ name, secretDigest, pointer }): PlanStep[] => {
    const existing = stored.find((client) => client.name === name);
    if (existing?.secretDigest?.equals(secretDigest)) return [];
    const change: StateChange = existing
      ? { change: 'change', kind: 'client', name, field: 'secret', ...OTHER_SECRET }
      : { change: 'add', kind: 'client', name };
    return [
      {
        changes: [change],
        pointer,
        async perform({ clients }, addedAt) {
          const events = [clientEvent('client-added', name)];
          // Its application, if it has one, goes with a client that is removed.
          if (existing !== undefined && (await clients.setSecret(name, secretDigest)))
            return { events: [clientEvent('client-removed', name), ...events] };
          return (await clients.add({ name, secretDigest, addedAt })) ? { events } : taken('a client', name);
        },
      },
    ];
  });
}

/** The registered clients that the document does not name. */
export function unnamedClients(
  targets: readonly WantedClient[],
  stored: readonly RegisteredClient[],
): Unnamed[] {
  return stored
    .filter((client) => !targets.some(({ name }) => name === client.name))
    .map(({ name }) => ({
      kind: 'client',
      name,
      perform: async ({ clients }) => ({
        events: (await clients.remove(name)) ? [clientEvent('client-removed', name)] : [],
      }),
    }));
}

const shownSetting = (value: unknown): ShownValue =>
  typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : (value as ShownValue);

function applicationChanges(
  { name, settings, secretDigest }: WantedApplication,
  stored: Application | undefined,
): StateChange[] {
  if (stored === undefined) {
    const members = Object.entries(settings).map(([member, value]) => [member, shownSetting(value)]);
    return [{ change: 'add', kind: 'application', name, members: Object.fromEntries(members) }];
  }
  const about = { change: 'change', kind: 'application', name } as const;
  const changes = membersChanged(stored.settings, settings).map((field): StateChange => {
    const [from, to] = [shownSetting(stored.settings[field]), shownSetting(settings[field])];
    return { ...about, field, from, to };
  });
  const isOther = secretDigest !== undefined && !stored.secretDigest?.equals(secretDigest);
  return isOther ? [...changes, { ...about, field: 'secret', ...OTHER_SECRET }] : changes;
}

/** The steps that bring applications into the state of the document. */
export function applicationSteps(
  targets: readonly WantedApplication[],
  stored: readonly Application[],
): PlanStep[] {
  return targets.flatMap((target): PlanStep[] => {
    const existing = stored.find(({ name }) => name === target.name);
    const changes = applicationChanges(target, existing);
    const perform: PlanStep['perform'] = (unit, now) => bringApplication(unit, target, now);
    return changes.length === 0 ? [] : [{ changes, pointer: target.pointer, perform }];
  });
}

/** The applications that the document does not name. */
export function unnamedApplications(
  targets: readonly WantedApplication[],
  stored: readonly Application[],
): Unnamed[] {
  return stored
    .filter((application) => !targets.some(({ name }) => name === application.name))
    .map(({ name }) => ({
      kind: 'application',
      name,
      perform: async ({ clients }) => ({
        events: (await clients.remove(name)) ? [{ kind: 'application-removed', reason: name }] : [],
      }),
    }));
}

function keyChanges({ name, digest, role, expiresAt }: WantedApiKey, key: ApiKey | undefined): StateChange[] {
  if (key === undefined) {
    const members = { role, ...(expiresAt !== undefined && { expiresAt: isoTime(expiresAt) }) };
    return [{ change: 'add', kind: 'apiKey', name, members }];
  }
  const about = { change: 'change', kind: 'apiKey', name } as const;
  const changes: StateChange[] = [];
  if (!key.digest.equals(digest)) changes.push({ ...about, field: 'key', ...OTHER_SECRET });
  if (key.role !== role) changes.push({ ...about, field: 'role', from: key.role, to: role });
  if (key.expiresAt !== expiresAt)
    changes.push({
      ...about,
      field: 'expiresAt',
      from: isoTime(key.expiresAt),
      to: isoTime(expiresAt),
    });
  return changes;
}

const keyEvent = (kind: 'api-key-added' | 'api-key-removed', reason: string): ChangeEvent => ({
  kind,
  reason,
});

/** The steps that bring API keys into the state of the document. */
export function apiKeySteps(targets: readonly WantedApiKey[], stored: readonly ApiKey[]): PlanStep[] {
  return targets.flatMap((each): PlanStep[] => {
    const { name, digest, role, expiresAt, pointer } = each;
    const existing = stored.find((key) => key.name === name);
    const changes = keyChanges(each, existing);
    if (changes.length === 0) return [];
    return [
      {
        changes,
        pointer,
        async perform({ apiKeys }, now) {
          const events = [keyEvent('api-key-added', `${name}: ${role}`)];
          if (existing !== undefined && (await apiKeys.remove(name)))
            events.unshift(keyEvent('api-key-removed', name));
          const [addedAt, usedAt] = existing?.digest.equals(digest)
            ? [existing.addedAt, existing.usedAt]
            : [now, undefined];
          const added = await apiKeys.add({ name, digest, role, addedAt, expiresAt, usedAt });
          return added ? { events } : taken('an API key', name);
        },
      },
    ];
  });
}

/** The API keys that the document does not name. */
export function unnamedApiKeys(targets: readonly WantedApiKey[], stored: readonly ApiKey[]): Unnamed[] {
  return stored
    .filter((key) => !targets.some(({ name }) => name === key.name))
    .map(({ name }) => ({
      kind: 'apiKey',
      name,
      perform: async ({ apiKeys }) => ({
        events: (await apiKeys.remove(name)) ? [keyEvent('api-key-removed', name)] : [],
      }),
    }));
}

/** The faults of API keys whose digest is that of a stored key of another name, by their pointers. */
export function sharedDigests(
  targets: readonly WantedApiKey[],
  stored: readonly ApiKey[],
  removed: ReadonlySet<string>,
): (readonly [string, string])[] {
  return targets.flatMap(({ name, digest, pointer }) => {
    const other = stored.find((key) => key.name !== name && key.digest.equals(digest));
    if (other === undefined || removed.has(other.name)) return [];
    return [
      [`${pointer}/digest`, `is the digest of the API key "${other.name}": each key has one name`] as const,
    ];
  });
}
