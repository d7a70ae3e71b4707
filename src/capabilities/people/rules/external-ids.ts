import type { ExternalIdentity } from '../../../core/domain/external-identity.ts';
import { wireNameOf } from '../../../core/domain/group.ts';
import { type Change, changeWith, UNCHANGED } from '../../../core/domain/outcome.ts';
import { type Refusal, refuse } from '../../../core/domain/refusal.ts';
import type { User } from '../../../core/domain/user.ts';
import type { ReadUnit, WriteUnit } from '../../../core/storage/store.ts';
import type { Provisioned } from '../tables/external-ids.ts';
import type { Member } from './groups.ts';

/** The longest `externalId` of a user or a group, in UTF-16 units. */
export const LONGEST_EXTERNAL_ID = 1_024;

/** A system that provisions users and groups, and the time of its change. */
export interface Provisioning {
  /** The provider of its users, whose subject there is their `externalId`; undefined if they have passwords here. */
  readonly provider: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Whether the `externalId` of the user is its subject at the provider. */
export const hasSubject = ({ provider }: Pick<User, 'provider'>, ofProvisioning: string | undefined) =>
  ofProvisioning !== undefined && provider === ofProvisioning;

/** The `externalId` of a user; undefined without one. */
export async function externalIdOf(
  { externalIds, externalIdentities }: Pick<ReadUnit, 'externalIds' | 'externalIdentities'>,
  user: User,
  provider: string | undefined,
): Promise<string | undefined> {
  if (hasSubject(user, provider)) return (await externalIdentities.ofUser(user.id))?.subject;
  return (await externalIds.of('user', [user.id])).get(user.id);
}

/** The ids of the users or groups with this `externalId`, also of the user whose subject at the provider it is. */
export async function ownersOfExternalId(
  { externalIds, externalIdentities }: Pick<ReadUnit, 'externalIds' | 'externalIdentities'>,
  kind: Provisioned,
  externalId: string,
  provider?: string,
): Promise<readonly number[]> {
  const ids = await externalIds.find(kind, externalId);
  if (kind === 'group' || provider === undefined) return ids;
  const identity = await externalIdentities.find(provider, externalId);
  return identity === undefined || ids.includes(identity.userId) ? ids : [...ids, identity.userId];
}

/** Why the user or group of this id, or a new one, cannot get this `externalId`; undefined if it can. */
export async function faultOfExternalId(
  unit: Pick<ReadUnit, 'externalIds' | 'externalIdentities'>,
  kind: Provisioned,
  externalId: string,
  { id, provider }: { readonly id: number | undefined; readonly provider?: string | undefined },
): Promise<Refusal<'body_invalid' | 'name_taken'> | undefined> {
  if (externalId === '' || externalId.length > LONGEST_EXTERNAL_ID)
    return refuse('body_invalid', { detail: `externalId has 1 to ${LONGEST_EXTERNAL_ID} characters` });
  const owners = await ownersOfExternalId(unit, kind, externalId, provider);
  return owners.some((owner) => owner !== id)
    ? refuse('name_taken', { detail: `another ${kind} has this externalId already` })
    : undefined;
}

/** Gives a user or a group this `externalId`, which no other one may have. Null takes it away, but never a subject. */
export async function setExternalId(
  unit: WriteUnit,
  owner: Member,
  externalId: string | null,
  provisioning?: Provisioning,
): Promise<Change | Refusal<'body_invalid' | 'name_taken'>> {
  const [kind, { id }] =
    'user' in owner ? (['user', owner.user] as const) : (['group', owner.group] as const);
  const { provider } = provisioning ?? {};
  const fault =
    externalId === null ? undefined : await faultOfExternalId(unit, kind, externalId, { id, provider });
  if (fault !== undefined) return fault;
  const isSet =
    'user' in owner && externalId !== null && hasSubject(owner.user, provider)
      ? await setSubject(unit, owner.user, externalId, provisioning as Provisioning)
      : await setOwn(unit, kind, id, externalId ?? undefined);
  if (!isSet) return UNCHANGED;
  return 'user' in owner
    ? changeWith({ kind: 'profile-changed', user: owner.user.name, reason: 'externalId' })
    : changeWith({ kind: 'group-changed', reason: `${wireNameOf(owner.group)}: externalId` });
}

/** Returns whether it differed. */
async function setOwn(
  { externalIds }: WriteUnit,
  kind: Provisioned,
  id: number,
  externalId: string | undefined,
): Promise<boolean> {
  if ((await externalIds.of(kind, [id])).get(id) === externalId) return false;
  await externalIds.put(kind, id, externalId);
  return true;
}

/** Returns whether it differed. */
async function setSubject(
  { externalIdentities }: WriteUnit,
  { id: userId }: User,
  subject: string,
  { provider, now: checkedAt }: Provisioning,
): Promise<boolean> {
  const identity = await externalIdentities.ofUser(userId);
  if (identity?.subject === subject) return false;
  await externalIdentities.put({
    groups: [],
    disabledThere: false,
    ...identity,
    userId,
    provider: provider as string,
    subject,
    checkedAt,
  });
  return true;
}

/** Why the user that a file describes is not the existing one, or cannot be a new one, of its provider; undefined if it is or can. */
export async function faultOfSubject(
  { externalIdentities }: Pick<ReadUnit, 'externalIdentities'>,
  described: Pick<ExternalIdentity, 'provider' | 'subject'> | undefined,
  existing: User | undefined,
): Promise<string | undefined> {
  if (described === undefined)
    return existing?.provider === undefined
      ? undefined
      : `has no provider, and the user here belongs to ${existing.provider}: add "provider" and "subject", or remove the user first if it is to be a local one`;
  const { provider, subject } = described;
  if (existing !== undefined && existing.provider !== provider)
    return `belongs to ${provider}, and the user here ${existing.provider === undefined ? 'is a local one' : `to ${existing.provider}`}: remove that user first if this is the same person`;
  const own = existing && (await externalIdentities.ofUser(existing.id));
  if (own !== undefined && own.subject !== subject)
    return `has another subject than the user here, so it is another person of ${provider}: remove that user first, or give this one another name`;
  const owner = await externalIdentities.find(provider, subject);
  return owner === undefined || owner.userId === existing?.id
    ? undefined
    : `has the subject of another user here: each person of ${provider} is one user`;
}
