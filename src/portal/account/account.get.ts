import { answer } from '../../operation.ts';
import { html } from '../html.ts';
import { pageText } from '../layout.ts';
import { page } from '../page.ts';
import { userReader } from '../reader.ts';

/** The account of whoever is signed in (`people.md` section 18). */
export default page({
  id: 'org/service/repository/portal/account/account.get',
  summary: 'Show the own account.',
  method: 'GET',
  paths: ['/account'],
  authentication: 'user',
  access: 'read',
  input: {},
  async perform(context) {
    const reader = await userReader(context);
    const title = reader.say('account.title');
    const body = html`<h1>${title}</h1>
<p>${reader.say('account.signedInAs', { name: context.caller.user.name })}</p>`;
    return answer({ text: pageText(reader, { title, body, current: '/portal/account' }) });
  },
});
