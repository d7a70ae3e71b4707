import { isDeepStrictEqual } from 'node:util';
import type { ChangeEvent } from '../../../core/domain/event.ts';
import { type Refusal, refuse } from '../../../core/domain/refusal.ts';
import type { WriteUnit } from '../../../core/storage/store.ts';
import type { Application, ApplicationSettings } from '../application.ts';
import { faultOfApplicationName, faultOfSettings, needsSecret } from '../faults.ts';

export interface DesiredApplication {
  readonly name: string;
  readonly settings: ApplicationSettings;
  /** The digest of its secret: undefined keeps the one it has. It counts only for settings that need a secret. */
  readonly secretDigest?: Buffer | undefined;
  /** The digest of the secret that it gets if it needs one and has none. */
  readonly newSecretDigest?: Buffer | undefined;
}

interface BroughtApplication {
  readonly application: Application;
  readonly events: readonly ChangeEvent[];
}

/** The members of the settings that differ, also those that only one of them has. */
export function membersChanged(
  before: ApplicationSettings,
  after: ApplicationSettings,
): (keyof ApplicationSettings)[] {
  const members = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof ApplicationSettings>;
  return [...members].filter((member) => !isDeepStrictEqual(before[member], after[member]));
}

/**
 * Adds an application or changes it; a registered client becomes one and keeps its secret. A secret that the settings do not need is
 * removed.
 */
export async function bringApplication(
  unit: Pick<WriteUnit, 'clients' | 'applications'>,
  desired: DesiredApplication,
  now: number,
): Promise<BroughtApplication | Refusal<'body_invalid'>> {
  const { clients, applications } = unit;
  const { name, settings, secretDigest, newSecretDigest } = desired;
  const detail = faultOfApplicationName(name) ?? faultOfSettings(settings, name)?.sentence;
  if (detail !== undefined) return refuse('body_invalid', { detail });
  const [client, before] = [await clients.find(name), await applications.find(name)];
  const digest = needsSecret(desired) ? (secretDigest ?? client?.secretDigest ?? newSecretDigest) : undefined;
  if (digest === undefined && needsSecret(desired))
    return refuse('body_invalid', { detail: `the application "${name}" needs a secret: give its digest` });
  const { addedAt = now } = client ?? {};
  const application = { name, secretDigest: digest, addedAt, settings };
  // Another unit may add or remove the client meanwhile.
  const again = () => bringApplication(unit, desired, now);
  if (client === undefined && !(await clients.add(application))) return again();
  const isNewSecret = digest?.toString('hex') !== client?.secretDigest?.toString('hex');
  if (client !== undefined && isNewSecret) await clients.setSecret(name, digest);
  if (!(await applications.put(name, settings))) return again();
  if (before === undefined) return { application, events: [{ kind: 'application-added', reason: name }] };
  const differ = [...membersChanged(before.settings, settings), ...(isNewSecret ? ['secret'] : [])];
  const reason = `${name}: ${differ.join(', ')}`;
  return { application, events: differ.length === 0 ? [] : [{ kind: 'application-changed', reason }] };
}
