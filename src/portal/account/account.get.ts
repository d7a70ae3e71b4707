import { answer } from '../../operation.ts';
import { signInHistory } from '../../people/sign-in-history.ts';
import { Type } from '../../schema.ts';
import { page } from '../page.ts';
import { userReader } from '../reader.ts';
import { accountPage } from './account-view.ts';

/** How many sign-ins and refused tries are shown. */
const SHOWN = 20;

/** The own account (`people.md` section 18). Its reads do not depend on each other, so an engine can send them together. */
export default page({
  id: 'org/service/repository/portal/account/account.get',
  summary: 'Show the own account.',
  method: 'GET',
  paths: ['/account'],
  authentication: 'user',
  access: 'read',
  input: {
    query: Type.Object({
      done: Type.Optional(Type.String({ description: 'What was done last, which the page tells.' })),
    }),
  },
  async perform(context) {
    const { caller, store, isCaller, input } = context;
    const { id, name } = caller.user;
    const [reader, profile, groups, history] = await Promise.all([
      userReader(context),
      store.profiles.find(id),
      store.groups.ofUser(id),
      signInHistory(store, { name, isOwn: isCaller }, SHOWN),
    ]);
    const account = { userName: name, profile, groups, history, done: input.query.done };
    return answer({ text: accountPage(reader, account) });
  },
});
