import { V1_CALL } from '../../../../core/api.ts';
import { ADMINISTRATORS_GROUP, EVERYONE_GROUP } from '../../../../core/domain/group.ts';
import { pageOf } from '../../../../core/domain/list-page.ts';
import { refuse } from '../../../../core/domain/refusal.ts';
import { maskedIfTicket } from '../../../../core/domain/ticket.ts';
import { answer, operation } from '../../../../core/operation.ts';
import { pagingOf } from '../../../../core/representations/v1/list.ts';
import { Type } from '../../../../core/schema.ts';
import { v1GroupsShown } from '../../representations/v1/group.ts';
import { groupsArguments, groupsInOrder, selectsRoots } from '../../rules/visible-groups.ts';
import { personId, personOf } from './person.get.ts';

/** Specification, section 12: the groups that contain a user, directly or by other groups. */
export default operation({
  id: 'org/service/repository/v1/persongroups.get',
  summary: 'List the groups that contain a user, by the v1 API.',
  family: 'People',
  ...V1_CALL,
  method: 'GET',
  paths: ['/alfresco/versions/1/people/{personId}/groups'],
  authentication: 'user',
  access: 'read',
  input: {
    path: Type.Object({ personId }),
    query: Type.Object(groupsArguments),
  },
  output: v1GroupsShown,
  refusals: ['argument_invalid', 'skip_count_negative', 'max_items_not_positive', 'person_not_found'],
  async perform({ input: { path, query }, ...context }) {
    const found = await personOf(path.personId, context);
    if (found === undefined) return refuse('person_not_found', { detail: maskedIfTicket(path.personId) });
    const stored = await context.store.groups.ofUser(found.id);
    const groups = [...stored, EVERYONE_GROUP, ...(found.person.isAdmin ? [ADMINISTRATORS_GROUP] : [])];
    const roots = selectsRoots(query);
    const selected = roots === undefined ? groups : groups.filter(({ root }) => root === roots);
    return answer(pageOf(groupsInOrder(selected, query), pagingOf(query)));
  },
});
