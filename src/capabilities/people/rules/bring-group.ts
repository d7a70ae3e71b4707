import type { ChangeEvent } from '../../../core/domain/event.ts';
import type { Group } from '../../../core/domain/group.ts';
import type { Change } from '../../../core/domain/outcome.ts';
import { isRefusal, type Refusal } from '../../../core/domain/refusal.ts';
import type { Role } from '../../../core/domain/role.ts';
import type { WriteUnit } from '../../../core/storage/store.ts';
import { setExternalId } from './external-ids.ts';
import {
  changeGroup,
  type DesiredGroups,
  joinGroup,
  leaveGroup,
  type Member,
  regroup,
  removeGroup,
} from './groups.ts';
import { allOrNothing, type ChangingActor, keepingAnAdministrator } from './users.ts';

/** The state that a group is to have. A member that is undefined stays as it is. */
export interface DesiredGroup {
  readonly displayName?: string | undefined;
  /** The role that each of its members has; `none` takes it away. */
  readonly role?: Role | 'none' | undefined;
  /** Null takes it away. */
  readonly externalId?: string | null | undefined;
  /** The users and groups to take out of it. */
  readonly leave?: readonly Member[] | undefined;
  /** The users and groups to put into it. */
  readonly join?: readonly Member[] | undefined;
  /** The groups that the group joins and leaves as their member. */
  readonly outer?: DesiredGroups | undefined;
}

/** Why each member may be forbidden. */
interface GroupFaultsBy {
  readonly displayName: 'body_invalid';
  readonly externalId: 'body_invalid' | 'name_taken';
  readonly join: 'group_circle';
  readonly outer: 'body_invalid' | 'name_taken' | 'group_circle';
}

type GroupFaultOf<D> =
  | 'last_administrator'
  | (D extends DesiredGroup ? GroupFaultsBy[keyof D & keyof GroupFaultsBy] : never);

/**
 * Brings a group into a state, or removes it (`absent`): all of it, or nothing if a part is forbidden or no administrator would be
 * left. `unguarded` is for a caller who keeps an administrator over all of its changes, and undoes a forbidden one.
 */
export async function bringGroup<const D extends DesiredGroup | 'absent'>(
  unit: WriteUnit,
  group: Group,
  desired: D,
  { unguarded, actor }: { readonly unguarded?: boolean; readonly actor?: ChangingActor | undefined } = {},
): Promise<Change | Refusal<GroupFaultOf<D>>> {
  const change = () => (desired === 'absent' ? removeGroup(unit, group) : makeAs(unit, group, desired));
  const guard = mayEndAdministration(desired) ? keepingAnAdministrator : allOrNothing;
  const outcome: Change | Refusal = await (unguarded
    ? change()
    : guard<Change | Refusal>(unit, change, actor));
  return outcome as Change | Refusal<GroupFaultOf<D>>;
}

function mayEndAdministration(desired: DesiredGroup | 'absent'): boolean {
  if (desired === 'absent') return true;
  const { role = 'administrator', leave = [], outer } = desired;
  return role !== 'administrator' || leave.length > 0 || (outer?.leave ?? []).length > 0;
}

async function makeAs(unit: WriteUnit, group: Group, desired: DesiredGroup): Promise<Change | Refusal> {
  const { displayName, role, externalId, leave = [], join = [], outer } = desired;
  const change = {
    ...(displayName !== undefined && { displayName }),
    ...(role !== undefined && { role: role === 'none' ? undefined : role }),
  };
  const changed = await changeGroup(unit, group, change);
  if (isRefusal(changed)) return changed;
  const events: ChangeEvent[] = [...changed.events];
  const steps = [
    ...(externalId === undefined ? [] : [() => setExternalId(unit, { group }, externalId)]),
    ...leave.map((member) => () => leaveGroup(unit, group, member)),
    ...join.map((member) => () => joinGroup(unit, group, member)),
    ...(outer === undefined ? [] : [() => regroup(unit, { group }, outer)]),
  ];
  for (const step of steps) {
    const outcome: Change | Refusal = await step();
    if (isRefusal(outcome)) return outcome;
    events.push(...outcome.events);
  }
  return { events };
}
