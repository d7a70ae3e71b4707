import { isRefusal } from '../../../../core/domain/refusal.ts';
import { userAddress } from '../../../../faces/pages/console/addresses.ts';
import userGet from '../../../people/operations/admin/users/user.get.ts';
import userPatch from '../../../people/operations/admin/users/user.patch.ts';
import { editedState, USER_STATE } from '../../../people/pages/console/user-state.ts';
import { editPages } from '../edit-pages.ts';
import { profileFields, profileIn, roleField, roleIn, userMembers } from './form-view.ts';

/** The form that changes the profile and the role of a user. */
export default editPages({
  area: 'users',
  what: 'the profile and the role of a user',
  isNarrow: false,
  fields: Object.keys(userMembers),
  texts: USER_STATE,
  address: userAddress,
  async find(run, userName) {
    const view = await run(userGet, { path: { userName } });
    return isRefusal(view) ? view : { name: view.value.user.name, state: editedState(view.value) };
  },
  view: (reader, values, faults) => [
    profileFields(reader, values, faults),
    roleField(reader, values.role, faults.role),
  ],
  change: (run, userName, values) =>
    run(userPatch, { path: { userName }, body: { ...profileIn(values), ...roleIn(values) } }),
});
