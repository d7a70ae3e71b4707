import { addUser, bringUser, type DesiredUser } from '../../capabilities/people/rules/bring-user.ts';
import { faultOfSubject } from '../../capabilities/people/rules/external-ids.ts';
import type { ForgetFailures } from '../../capabilities/people/rules/users.ts';
import { UNCHANGED } from '../../core/domain/outcome.ts';
import { PROFILE_FIELDS, type Profile, withChanges } from '../../core/domain/profile.ts';
import { refuse } from '../../core/domain/refusal.ts';
import { isLockedByHand, isPasswordless, type User } from '../../core/domain/user.ts';
import { membersShown, namedGroups, without } from './groups.ts';
import type { PlanStep, StateChange, Unnamed } from './plan.ts';
import type { PreparedHashes } from './prepared-hashes.ts';
import {
  type PeopleReads,
  provisionedAmong,
  readAll,
  type StoredPerson,
  storedPeople,
} from './stored-people.ts';
import type { WantedUser } from './wanted.ts';

/** What the steps for users need. */
export interface UserTools {
  readonly hashes: PreparedHashes;
  /** Forgets the failures of a name that is unlocked. */
  readonly forget: ForgetFailures;
}

const MEANWHILE = refuse('group_not_found', {
  detail: 'the user was added, removed or changed meanwhile: give the command again',
});

function adds(target: WantedUser, { hashes }: UserTools): PlanStep['perform'] {
  const { identity, groups = [], locked } = target;
  const passwordHash = identity === undefined ? hashes.ofNew(target) : undefined;
  const desired = {
    ...target,
    passwordHash,
    identity: identity && { ...identity, groups: [], checkedAt: 0, disabledThere: false },
    locked: locked || undefined,
    groups: { join: namedGroups(groups) },
  };
  return async (unit) =>
    identity === undefined && passwordHash === undefined ? MEANWHILE : addUser(unit, desired);
}

/** `wasRemoved` says whether a user of this name was removed before, perhaps by hand since the file was written. */
function addStep(target: WantedUser, wasRemoved: boolean, tools: UserTools): PlanStep {
  const { pointer, name, role, disabled, locked, profile, groups, identity } = target;
  const provider = identity?.provider;
  const password = identity === undefined && target.hash === undefined ? 'not set' : undefined;
  const states = { role, disabled: disabled || undefined, locked: locked || undefined };
  const removedBefore = wasRemoved || undefined;
  const members = membersShown({ removedBefore, ...states, provider, password, ...profile, groups });
  return {
    changes: [{ change: 'add', kind: 'user', name, members }],
    pointer,
    perform: adds(target, tools),
  };
}

/** A change of one member of a user, as it is shown. */
type MemberChange = Pick<StateChange, 'field' | 'from' | 'to'>;

function profileChanges(before: Profile, changes: Profile): MemberChange[] {
  const after = withChanges(before, changes);
  const changed = PROFILE_FIELDS.filter((field) => before[field] !== after[field]);
  return changed.map((field) => ({ field, from: before[field], to: after[field] }));
}

/** What the entry of an existing user asks for, without what is so already. */
function desiredOf(target: WantedUser, stored: StoredPerson, { hashes }: UserTools): DesiredUser {
  const { user, role, groups, fromProvider, identity } = stored;
  const passwordHash = hashes.ofExisting(target);
  const left = without(groups, target.groups ?? groups);
  const joined = without(target.groups ?? [], [...groups, ...fromProvider]);
  return {
    passwordHash,
    mustChangePassword: passwordHash === undefined ? undefined : target.mustChangePassword,
    profile: target.profile,
    role: target.role === (role ?? 'none') ? undefined : target.role,
    // A provider that disabled the user is the one to enable it again.
    disabled: identity?.disabledThere || target.disabled === user.disabled ? undefined : target.disabled,
    locked: target.locked === isLockedByHand(user) ? undefined : target.locked,
    groups: left.length + joined.length === 0 ? undefined : { leave: left, join: namedGroups(joined) },
  };
}

function memberChanges(target: WantedUser, stored: StoredPerson, desired: DesiredUser): MemberChange[] {
  const { user, role, profile, groups } = stored;
  const changes: MemberChange[] = [];
  const isLacking = isPasswordless(user) && target.hash !== undefined;
  if (desired.passwordHash !== undefined) {
    const from = isPasswordless(user) ? undefined : 'another one';
    changes.push({ field: 'password', from, to: 'that of the file' });
  } else if (isLacking) changes.push({ field: 'password' });
  changes.push(...profileChanges(profile, target.profile));
  if (desired.role !== undefined)
    changes.push({ field: 'role', from: role, to: desired.role === 'none' ? undefined : desired.role });
  if (desired.disabled !== undefined)
    changes.push({ field: 'disabled', from: user.disabled, to: desired.disabled });
  if (desired.locked !== undefined)
    changes.push({ field: 'locked', from: !desired.locked, to: desired.locked });
  if (desired.groups !== undefined) changes.push({ field: 'groups', from: groups, to: target.groups });
  return changes;
}

function changeStep(target: WantedUser, stored: StoredPerson, tools: UserTools): PlanStep | undefined {
  const { id, name } = stored.user;
  const desired = desiredOf(target, stored, tools);
  const changes = memberChanges(target, stored, desired);
  if (changes.length === 0) return undefined;
  const { forget } = tools;
  return {
    changes: changes.map((change) => ({ change: 'change', kind: 'user', name, ...change })),
    pointer: target.pointer,
    async perform(unit) {
      const user = await unit.users.find(id);
      // With a hash in the file, the user must not stay one whom any password logs in.
      const isLacking = user && isPasswordless(user) && target.hash !== undefined;
      if (user === undefined || (isLacking && desired.passwordHash === undefined)) return MEANWHILE;
      return bringUser(unit, user, desired, { forget, unguarded: true });
    },
  };
}

/** The steps that bring these users into the state of the document, and why some cannot be, by their pointers. */
export async function userSteps(
  unit: PeopleReads,
  targets: readonly WantedUser[],
  tools: UserTools,
): Promise<{ readonly steps: readonly PlanStep[]; readonly faults: readonly (readonly [string, string])[] }> {
  const found = await readAll(targets, ({ key }) => unit.users.findByKey(key));
  const people = await storedPeople(
    unit,
    found.filter((user) => user !== undefined),
  );
  const byId = new Map(people.map((person) => [person.user.id, person]));
  const steps: PlanStep[] = [];
  const faults: (readonly [string, string])[] = [];
  for (const [index, each] of targets.entries()) {
    const user = found[index];
    const stored = user && byId.get(user.id);
    if (user !== undefined && user.name !== each.name)
      faults.push([
        `${each.pointer}/name`,
        `differs from the name of the user "${user.name}" only by case or form: write it in the same way`,
      ]);
    const wrong = each.identity && (await faultOfSubject(unit, each.identity, user));
    if (wrong !== undefined) faults.push([each.pointer, wrong]);
    const step =
      stored === undefined
        ? addStep(each, await unit.users.wasRemoved(each.key), tools)
        : changeStep(each, stored, tools);
    if (step !== undefined) steps.push(step);
  }
  return { steps, faults };
}

/** The users that the document does not name, without users that a provider or a provisioning system keeps. */
export async function unnamedUsers(
  unit: PeopleReads,
  targets: readonly WantedUser[],
  stored: readonly User[],
): Promise<Unnamed[]> {
  const keys = new Set(targets.map(({ key }) => key));
  const unnamed = stored.filter(({ key, provider }) => provider === undefined && !keys.has(key));
  const provisioned = await provisionedAmong(
    unit,
    'user',
    unnamed.map(({ id }) => id),
  );
  return unnamed
    .filter(({ id }) => !provisioned.has(id))
    .map(({ id, name }) => ({
      kind: 'user',
      name,
      perform: async (write) => {
        const user = await write.users.find(id);
        return user === undefined ? UNCHANGED : bringUser(write, user, 'absent', { unguarded: true });
      },
    }));
}
