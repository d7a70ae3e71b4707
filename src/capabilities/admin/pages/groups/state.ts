import type { ShownState, StateTexts } from '../../../../faces/pages/console/meanwhile.ts';
import type { TextKey } from '../../../../faces/pages/texts/texts.ts';
import type { GroupShown } from '../../../people/representations/admin/group.ts';

/** What the form that changes a group shows. */
export const editedGroupState = ({ group }: GroupShown): ShownState => ({
  id: String(group.id),
  displayName: group.displayName.trim(),
  role: group.role ?? 'none',
});

/** What pages about a group show that matters for a change by a button. */
export const groupState = (view: GroupShown): ShownState => ({
  ...editedGroupState(view),
  memberOf: view.memberOf.map(({ name }) => name).join(', '),
});

/** The texts of both. */
export const GROUP_STATE: StateTexts = {
  displayName: { label: 'console.groups.displayName' },
  role: { label: 'console.groups.role', text: (say, value) => say(`role.${value}` as TextKey) },
  memberOf: { label: 'console.groups.memberOf' },
};
