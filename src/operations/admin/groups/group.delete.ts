import { ADMIN } from '../../../api.ts';
import { changed, operation } from '../../../operation.ts';
import { findGroup, removeGroup } from '../../../people/groups.ts';
import { isForbidden } from '../../../people/outcome.ts';
import { refusalOf } from '../../../people/refusals.ts';
import { keepingAnAdministrator } from '../../../people/users.ts';
import { nothingShown } from '../../../representations/representation.ts';
import groupGet from './group.get.ts';

/** `people.md` section 16: remove a group. */
export default operation({
  id: 'org/service/repository/admin/groups/group.delete',
  summary: 'Remove a group. Its members stay.',
  lifecycle: 'public_api',
  family: 'Administration',
  api: ADMIN,
  method: 'DELETE',
  paths: ['/api/admin/groups/{group}'],
  authentication: 'admin',
  role: 'administrator',
  transaction: 'required',
  access: 'write',
  formatStyle: 'argument',
  defaultFormat: 'json',
  ifMatch: groupGet,
  input: groupGet.input,
  answers: 204,
  output: nothingShown,
  refusals: ['group_not_found', 'last_administrator'],
  async perform({ input: { path }, store }) {
    const group = await findGroup(store, path.group);
    if (isForbidden(group)) return refusalOf(group);
    const made = await keepingAnAdministrator(store, () => removeGroup(store, group));
    return isForbidden(made) ? refusalOf(made) : changed(undefined, made.events);
  },
});
