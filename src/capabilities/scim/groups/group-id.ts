import { createHash } from 'node:crypto';
import type { Group } from '../../../core/domain/group.ts';
import { type Refusal, refuse } from '../../../core/domain/refusal.ts';
import type { ReadUnit } from '../../../core/storage/store.ts';

/**
 * The `id` of a group: its number, and a check sum of its name, which never changes. An engine may give the number of a removed
 * group to another one, and a client that still has the old `id` must not change that one (RFC 7643 section 3.1).
 */
export function groupIdOf({ id, key }: Pick<Group, 'id' | 'key'>): string {
  return `${id}-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;
}

const GROUP_ID = /^(\d{1,15})-[\da-f]{8}$/;

/** Whether the text has the form of a group's `id`. The `id` of a user is a number alone. */
export const isGroupId = (text: string): boolean => GROUP_ID.test(text);

/** The group with this `id`. */
export async function findGroup(
  { groups }: Pick<ReadUnit, 'groups'>,
  text: string,
): Promise<Group | Refusal<'group_not_found'>> {
  const number = GROUP_ID.exec(text)?.[1];
  const group = number === undefined ? undefined : await groups.find(Number(number));
  return group !== undefined && groupIdOf(group) === text ? group : refuse('group_not_found');
}
