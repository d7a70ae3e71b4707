import { V1 } from '../../../../core/api.ts';
import {
  ADMINISTRATORS_GROUP,
  EVERYONE_GROUP,
  type GroupSeen,
  wireNameOf,
} from '../../../../core/domain/group.ts';
import { pageOf } from '../../../../core/domain/list-page.ts';
import { refuse } from '../../../../core/domain/refusal.ts';
import { maskedIfTicket } from '../../../../core/domain/ticket.ts';
import { answer, operation } from '../../../../core/operation.ts';
import { orderArgument, pagingArguments, pagingOf } from '../../../../core/representations/v1/list.ts';
import { Type } from '../../../../core/schema.ts';
import { v1GroupsShown } from '../../representations/v1/person.ts';
import { personId, personOf } from './person.get.ts';

/** Sorts names alphabetically for people, in the same way on every machine. */
const { compare } = new Intl.Collator('en');

/** The groups in the order that `orderBy` asks for. Those with equal display names keep their order. */
function inOrder(groups: readonly GroupSeen[], orderBy: string): readonly GroupSeen[] {
  const sign = /desc$/i.test(orderBy) ? -1 : 1;
  const textOf = (group: GroupSeen) => (/^id/i.test(orderBy) ? wireNameOf(group) : group.displayName);
  return groups.toSorted((one, other) => sign * compare(textOf(one), textOf(other)));
}

/** Specification, section 12: the groups that contain a user, directly or by other groups. */
export default operation({
  id: 'org/service/repository/v1/persongroups.get',
  summary: 'List the groups that contain a user, by the v1 API.',
  lifecycle: 'public_api',
  family: 'People',
  api: V1,
  method: 'GET',
  paths: ['/alfresco/versions/1/people/{personId}/groups'],
  authentication: 'user',
  transaction: 'required',
  access: 'read',
  formatStyle: 'argument',
  defaultFormat: 'json',
  input: {
    path: Type.Object({ personId }),
    query: Type.Object({
      ...pagingArguments,
      orderBy: orderArgument('id', 'displayName', 'displayName'),
      where: Type.Optional(
        Type.String({
          pattern: '^( *\\( *isRoot *= *(true|false) *\\) *)?$',
          description:
            '(isRoot=true) for groups that no other group contains, (isRoot=false) for the others.',
        }),
      ),
    }),
  },
  output: v1GroupsShown,
  refusals: ['argument_invalid', 'skip_count_negative', 'max_items_not_positive', 'person_not_found'],
  async perform({ input: { path, query }, ...context }) {
    const found = await personOf(path.personId, context);
    if (found === undefined) return refuse('person_not_found', { detail: maskedIfTicket(path.personId) });
    const stored = await context.store.groups.ofUser(found.id);
    const groups = [...stored, EVERYONE_GROUP, ...(found.person.isAdmin ? [ADMINISTRATORS_GROUP] : [])];
    const { where = '', orderBy = '' } = query;
    const selected = where === '' ? groups : groups.filter(({ root }) => root === where.includes('true'));
    return answer(pageOf(inOrder(selected, orderBy), pagingOf(query)));
  },
});
