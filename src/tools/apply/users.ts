import { faultOfIdentity } from '../../capabilities/migration/import/write-user.ts';
import { addUser } from '../../capabilities/people/rules/bring-user.ts';
import {
  changeProfile,
  type ForgetFailures,
  giveRole,
  lockUser,
  removeUser,
  setDisabled,
  setPassword,
  unlockUser,
} from '../../capabilities/people/rules/users.ts';
import { type Forbidden, forbid, isForbidden, type Made, UNCHANGED } from '../../core/domain/outcome.ts';
import { PROFILE_FIELDS, type Profile, withChanges } from '../../core/domain/profile.ts';
import { isLockedByHand, isPasswordless, type User } from '../../core/domain/user.ts';
import type { WriteUnit } from '../../core/storage/store.ts';
import { membersShown, regroup, without } from './groups.ts';
import type { PlanStep, ShownValue, StateChange, Unnamed } from './plan.ts';
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

type Act = (unit: WriteUnit, user: User) => Promise<Made | Forbidden>;

/** Does these one after another, each with the user as the one before left it. */
async function inOrder(unit: WriteUnit, id: number, acts: readonly Act[]): Promise<Made | Forbidden> {
  const events: Made['events'][number][] = [];
  for (const act of acts) {
    const user = await unit.users.find(id);
    if (user === undefined)
      return forbid('unknown', 'the user was removed meanwhile: give the command again');
    const outcome = await act(unit, user);
    if (isForbidden(outcome)) return outcome;
    events.push(...outcome.events);
  }
  return { events };
}

const MEANWHILE = forbid(
  'unknown',
  'the user was added, removed or changed meanwhile: give the command again',
);

const joins =
  (names: readonly string[]): Act =>
  (unit, user) =>
    regroup(unit, { user }, names, 'join');

function adds(wanted: WantedUser, { hashes }: UserTools): PlanStep['perform'] {
  const { name, key, profile, identity, groups = [], disabled = false, locked = false } = wanted;
  const role = wanted.role === 'none' ? undefined : wanted.role;
  const { mustChangePassword = false } = wanted;
  const passwordHash = identity === undefined ? hashes.ofNew(wanted) : undefined;
  return async (unit) => {
    if (identity === undefined && passwordHash === undefined) return MEANWHILE;
    const state = { passwordHash, provider: identity?.provider, mustChangePassword, disabled };
    const added = await addUser(unit, { name, key, ...state, role, profile });
    if (isForbidden(added)) return added;
    const { id } = added.user;
    if (identity !== undefined)
      await unit.externalIdentities.put({
        ...identity,
        userId: id,
        groups: [],
        checkedAt: 0,
        disabledThere: false,
      });
    const more = await inOrder(unit, id, [...(locked ? [lockUser] : []), joins(groups)]);
    return isForbidden(more) ? more : { events: [...added.events, ...more.events] };
  };
}

/** `wasRemoved` says whether a user of this name was removed before, perhaps by hand since the file was written. */
function addStep(wanted: WantedUser, wasRemoved: boolean, tools: UserTools): PlanStep {
  const { pointer, name, role, disabled, locked, profile, groups, identity } = wanted;
  const provider = identity?.provider;
  const password = identity === undefined && wanted.hash === undefined ? 'not set' : undefined;
  const states = { role, disabled: disabled || undefined, locked: locked || undefined };
  const removedBefore = wasRemoved || undefined;
  const members = membersShown({ removedBefore, ...states, provider, password, ...profile, groups });
  return {
    changes: [{ change: 'add', kind: 'user', name, members }],
    pointer,
    perform: adds(wanted, tools),
  };
}

/** A change of one member of a user, as it is shown and as it is made. */
interface MemberChange {
  readonly field: string;
  readonly from?: ShownValue;
  readonly to?: ShownValue;
  readonly acts: readonly Act[];
}

function profileChanges(before: Profile, changes: Profile): MemberChange[] {
  const after = withChanges(before, changes);
  const changed = PROFILE_FIELDS.filter((field) => before[field] !== after[field]);
  return changed.map((field, index) => ({
    field,
    from: before[field],
    to: after[field],
    acts: index === 0 ? [(unit, user) => changeProfile(unit, user, changes)] : [],
  }));
}

function passwordChanges(wanted: WantedUser, { user }: StoredPerson, { hashes }: UserTools): MemberChange[] {
  const passwordHash = hashes.ofExisting(wanted);
  const { mustChangePassword = false } = wanted;
  if (passwordHash !== undefined)
    return [
      {
        field: 'password',
        from: isPasswordless(user) ? undefined : 'another one',
        to: 'that of the file',
        acts: [(unit, each) => setPassword(unit, each, { passwordHash, mustChangePassword }, {})],
      },
    ];
  // With a hash in the file, the user must not stay one whom any password logs in.
  return isPasswordless(user) && wanted.hash !== undefined
    ? [{ field: 'password', acts: [async () => MEANWHILE] }]
    : [];
}

function stateChanges(wanted: WantedUser, stored: StoredPerson, { forget }: UserTools): MemberChange[] {
  const { user, role, groups, given, identity } = stored;
  const changes: MemberChange[] = [];
  const { locked } = wanted;
  // A provider that disabled the user is the one to enable it again.
  const disabled = identity?.disabledThere ? undefined : wanted.disabled;
  if (wanted.role !== undefined && wanted.role !== (role ?? 'none')) {
    const given = wanted.role === 'none' ? undefined : wanted.role;
    changes.push({
      field: 'role',
      from: role,
      to: given,
      acts: [(unit, each) => giveRole(unit, each, given)],
    });
  }
  if (disabled !== undefined && disabled !== user.disabled)
    changes.push({
      field: 'disabled',
      from: user.disabled,
      to: disabled,
      acts: [(unit, each) => setDisabled(unit, each, disabled)],
    });
  if (locked !== undefined && locked !== isLockedByHand(user))
    changes.push({
      field: 'locked',
      from: !locked,
      to: locked,
      acts: [(unit, each) => (locked ? lockUser(unit, each) : unlockUser(unit, each, forget))],
    });
  const [left, joined] = [
    without(groups, wanted.groups ?? groups),
    without(wanted.groups ?? [], [...groups, ...given]),
  ];
  if (left.length + joined.length > 0)
    changes.push({
      field: 'groups',
      from: groups,
      to: wanted.groups,
      acts: [(unit, each) => regroup(unit, { user: each }, left, 'leave'), joins(joined)],
    });
  return changes;
}

function changeStep(wanted: WantedUser, stored: StoredPerson, tools: UserTools): PlanStep | undefined {
  const { user, profile } = stored;
  const { name } = user;
  // The password comes first: a user without one can have no role.
  const made = [
    ...passwordChanges(wanted, stored, tools),
    ...profileChanges(profile, wanted.profile),
    ...stateChanges(wanted, stored, tools),
  ];
  if (made.length === 0) return undefined;
  return {
    changes: made.map(
      ({ field, from, to }): StateChange => ({ change: 'change', kind: 'user', name, field, from, to }),
    ),
    pointer: wanted.pointer,
    perform: (unit) =>
      inOrder(
        unit,
        user.id,
        made.flatMap(({ acts }) => acts),
      ),
  };
}

/** The steps that bring these users into the state of the document, and why some cannot be, by their pointers. */
export async function userSteps(
  unit: PeopleReads,
  wanted: readonly WantedUser[],
  tools: UserTools,
): Promise<{ readonly steps: readonly PlanStep[]; readonly faults: readonly (readonly [string, string])[] }> {
  const found = await readAll(wanted, ({ key }) => unit.users.findByKey(key));
  const people = await storedPeople(
    unit,
    found.filter((user) => user !== undefined),
  );
  const byId = new Map(people.map((person) => [person.user.id, person]));
  const steps: PlanStep[] = [];
  const faults: (readonly [string, string])[] = [];
  for (const [index, each] of wanted.entries()) {
    const user = found[index];
    const stored = user && byId.get(user.id);
    if (user !== undefined && user.name !== each.name)
      faults.push([
        `${each.pointer}/name`,
        `differs from the name of the user "${user.name}" only by case or form: write it in the same way`,
      ]);
    const wrong = each.identity && (await faultOfIdentity(unit, { ...each.identity, groups: [] }, user));
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
  wanted: readonly WantedUser[],
  stored: readonly User[],
): Promise<Unnamed[]> {
  const known = new Set(wanted.map(({ key }) => key));
  const unnamed = stored.filter(({ key, provider }) => provider === undefined && !known.has(key));
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
        return user === undefined ? UNCHANGED : removeUser(write, user);
      },
    }));
}
