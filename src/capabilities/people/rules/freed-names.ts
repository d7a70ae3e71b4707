import { freedNameKey, NAME_KEPT_FOR } from '../../../core/domain/freed-name.ts';
import { type Refusal, refuse } from '../../../core/domain/refusal.ts';
import type { User } from '../../../core/domain/user.ts';
import type { ReadUnit, WriteUnit } from '../../../core/storage/store.ts';

/** The person who wants a name: a user of this id, or one who is not added yet, with this `externalId`. */
export interface NameClaim {
  readonly userId?: number | undefined;
  readonly externalId: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Why a person cannot get this name: provisioning took it from another person lately, and services and rules may still
 * know the name as that of the other one. Undefined if it can. An administrator may give the name by hand.
 */
export async function faultOfFreedName(
  { freedNames }: Pick<ReadUnit, 'freedNames'>,
  name: string,
  { userId, externalId, now }: NameClaim,
): Promise<Refusal<'name_taken'> | undefined> {
  const freed = await freedNames.find(freedNameKey(name));
  if (freed === undefined || freed.freeAt <= now || freed.userId === userId) return undefined;
  if (externalId !== undefined && externalId === freed.externalId) return undefined;
  const day = new Date(freed.freeAt).toISOString().slice(0, 10);
  return refuse('name_taken', {
    detail: `"${name}" was the name of another person until lately, and is free from ${day} on: choose another name, or have an administrator add the user here`,
  });
}

/** Keeps the name that a user loses from other persons for {@link NAME_KEPT_FOR}. Call it before the name is gone. */
export async function keepFreedName(
  { freedNames }: Pick<WriteUnit, 'freedNames'>,
  { id: userId, name }: Pick<User, 'id' | 'name'>,
  externalId: string | undefined,
  now: number,
): Promise<void> {
  await freedNames.put({ key: freedNameKey(name), userId, externalId, freeAt: now + NAME_KEPT_FOR });
}
