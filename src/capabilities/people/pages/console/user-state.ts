import { PROFILE_FIELDS } from '../../../../core/domain/profile.ts';
import { isLockedByHand } from '../../../../core/domain/user.ts';
import type { ShownState, StateTexts } from '../../../../faces/pages/console/meanwhile.ts';
import type { TextKey } from '../../../../faces/pages/texts/texts.ts';
import type { UserShown } from '../../representations/admin/user.ts';

function stateOf(user: UserShown['user'], locked: boolean) {
  if (user.disabled) return 'disabled';
  if (!locked) return 'active';
  return isLockedByHand(user) ? 'lockedByHand' : 'locked';
}

const yesOrNo = (value: boolean) => (value ? 'yes' : 'no');

/** What pages about a user show that matters for a change by a button. */
export function userState({ user, locked, ownRole, groups }: UserShown): ShownState {
  const ranked = groups.filter(({ role }) => role !== undefined);
  return {
    id: String(user.id),
    state: stateOf(user, locked),
    role: ownRole ?? 'none',
    groups: ranked.map(({ name }) => name).join(', '),
    mustChangePassword: yesOrNo(user.mustChangePassword),
    secondFactor: yesOrNo(user.hasSecondFactor),
  };
}

/** What the form that changes a user shows. */
export function editedState({ user, profile, ownRole }: UserShown): ShownState {
  const fields = PROFILE_FIELDS.map((field) => [field, (profile[field] ?? '').trim()]);
  return { ...Object.fromEntries(fields), role: ownRole ?? 'none', id: String(user.id) };
}

/** The texts of both. */
export const USER_STATE: StateTexts = {
  ...Object.fromEntries(PROFILE_FIELDS.map((field) => [field, { label: `profile.${field}` as TextKey }])),
  state: {
    label: 'console.users.state',
    text: (say, value) => say(`console.meanwhile.state.${value}` as TextKey),
  },
  role: { label: 'console.users.role', text: (say, value) => say(`role.${value}` as TextKey) },
  groups: { label: 'console.meanwhile.groupsWithRole' },
  mustChangePassword: {
    label: 'console.users.newPassword',
    text: (say, value) => say(`console.meanwhile.${value}` as TextKey),
  },
  secondFactor: {
    label: 'secondFactor.title',
    text: (say, value) => say(`console.meanwhile.${value}` as TextKey),
  },
};
