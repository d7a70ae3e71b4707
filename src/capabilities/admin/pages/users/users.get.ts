import { isRefusal } from '../../../../core/domain/refusal.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { inConsole } from '../../../../faces/pages/console/change.ts';
import { doneArgument } from '../../../../faces/pages/console/layout.ts';
import { page } from '../../../../faces/pages/page.ts';
import usersGet from '../../../people/operations/admin/users/users.get.ts';
import signInGet from '../../operations/admin/users/signin.get.ts';
import { FILTERS, filterOf, usersPage } from './users-view.ts';

/** The rows of a page. */
const LIMIT = '50';

/** Lists and searches the users (specification, section 19). */
export default page({
  id: 'org/service/repository/portal/console/users/users.get',
  summary: 'List the users.',
  method: 'GET',
  paths: ['/console/users'],
  authentication: 'admin',
  role: 'operator',
  access: 'read',
  input: {
    query: Type.Object({
      ...doneArgument,
      find: Type.Optional(Type.String({ description: 'A part of a name or an e-mail.', maxLength: 1_024 })),
      only: Type.Optional(Type.String({ description: `One of ${FILTERS.join(', ')}, or all.` })),
      cursor: Type.Optional(Type.String({ description: 'Where the page begins.' })),
    }),
  },
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { find = '', only = '', cursor = '', done } = context.input.query;
    const part = find.trim();
    const listed = await run(usersGet, {
      query: { ...filterOf({ find: part, only }), cursor, limit: LIMIT },
    });
    if (isRefusal(listed)) return listed;
    const isNone = listed.value.items.length === 0 && part !== '' && only === '' && cursor === '';
    const signIn = isNone ? await run(signInGet, { path: { userName: part } }) : undefined;
    if (isRefusal(signIn)) return signIn;
    return answer(
      usersPage(reader, { find: part, only, cursor, done, signIn: signIn?.value, ...listed.value }),
    );
  },
});
