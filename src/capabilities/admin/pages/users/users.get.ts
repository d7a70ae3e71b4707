import { isRefusal } from '../../../../core/domain/refusal.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { inConsole } from '../../../../faces/pages/console/change.ts';
import { doneArgument } from '../../../../faces/pages/console/layout.ts';
import { page } from '../../../../faces/pages/page.ts';
import { placeArguments } from '../../../../faces/pages/parts/list.ts';
import usersGet from '../../../people/operations/admin/users/users.get.ts';
import signInGet from '../../operations/admin/users/signin.get.ts';
import { FILTERS, filterOf, SORTS, usersPage } from './users-view.ts';

/** The rows of a page. */
const LIMIT = '50';

/** Lists and searches the users (specification, section 19). */
export default page({
  id: 'org/service/repository/portal/console/users/users.get',
  summary: 'List the users.',
  method: 'GET',
  paths: ['/console/users'],
  role: 'operator',
  input: {
    query: Type.Object({
      ...doneArgument,
      find: Type.Optional(Type.String({ description: 'A part of a name or an e-mail.', maxLength: 1_024 })),
      only: Type.Optional(Type.String({ description: `One of ${FILTERS.join(', ')}, or all.` })),
      sort: Type.Optional(Type.String({ description: `One of ${SORTS.join(', ')}; by name if left out.` })),
      ...placeArguments,
    }),
  },
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { done, ...query } = context.input.query;
    const place = { ...query, find: query.find?.trim() ?? '' };
    const { find, only, cursor } = place;
    const listed = await run(usersGet, {
      query: { ...filterOf(place), cursor: cursor ?? '', limit: LIMIT, total: 'true' },
    });
    if (isRefusal(listed)) return listed;
    const isNone = listed.value.items.length === 0 && find !== '' && !only && !cursor;
    const signIn = isNone ? await run(signInGet, { path: { userName: find } }) : undefined;
    if (isRefusal(signIn)) return signIn;
    return answer(usersPage(reader, { place, done, signIn: signIn?.value, ...listed.value }));
  },
});
