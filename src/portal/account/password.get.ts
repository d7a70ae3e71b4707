import { answer } from '../../operation.ts';
import { Type } from '../../schema.ts';
import { page } from '../page.ts';
import { userReader } from '../reader.ts';
import { passwordPage } from './password-view.ts';

/** Asks for the old and the new password (`people.md` section 18). */
export default page({
  id: 'org/service/repository/portal/account/password.get',
  summary: 'Show the form for a new password.',
  method: 'GET',
  paths: ['/account/password'],
  authentication: 'user',
  access: 'read',
  input: {
    query: Type.Object({
      why: Type.Optional(Type.String({ description: 'not-me: somebody else signed in.' })),
    }),
  },
  async perform(context) {
    const isNotMe = context.input.query.why === 'not-me';
    return answer({ text: passwordPage(await userReader(context), { isNotMe }) });
  },
});
