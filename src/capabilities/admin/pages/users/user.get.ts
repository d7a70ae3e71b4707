import { isRefusal } from '../../../../core/domain/refusal.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { inConsole, NAMED } from '../../../../faces/pages/console/change.ts';
import { doneArgument } from '../../../../faces/pages/console/layout.ts';
import type { UserSections } from '../../../../faces/pages/console/user-sections.ts';
import { page } from '../../../../faces/pages/page.ts';
import { findUser } from '../../../people/rules/find-user.ts';
import { overviewOf } from './overview.ts';
import { userPage } from './user-view.ts';

/** Shows everything about a user (specification, section 19), with the sections of capabilities. */
export const userGet = (sections: readonly UserSections[]) =>
  page({
    id: 'org/service/repository/portal/console/users/user.get',
    summary: 'Show a user.',
    method: 'GET',
    paths: ['/console/users/{name}'],
    role: 'operator',
    input: {
      path: NAMED,
      query: Type.Object({
        ...doneArgument,
        group: Type.Optional(Type.String({ description: 'What the names of groups to join begin with.' })),
      }),
    },
    async perform(context) {
      const { reader, run } = inConsole(context);
      const { input, store, keyOf, lockOuts, service, now, browser } = context;
      const { group, done } = input.query;
      const user = await findUser(store, input.path.name, keyOf);
      if (isRefusal(user)) return user;
      const rules = { ...service, keyOf, lockOuts };
      const overview = await overviewOf({ ...context, run, rules }, user, sections, group);
      if (isRefusal(overview)) return overview;
      return answer(
        await userPage(reader, { ...overview, sections, done, now, origin: browser?.origin ?? '' }),
      );
    },
  });
