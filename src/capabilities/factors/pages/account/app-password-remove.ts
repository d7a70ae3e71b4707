import { refuse } from '../../../../core/domain/refusal.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { html } from '../../../../faces/pages/html.ts';
import { pageText } from '../../../../faces/pages/layout.ts';
import { form, page, seeOther } from '../../../../faces/pages/page.ts';
import { confirmation } from '../../../../faces/pages/parts/form.ts';
import { userReader } from '../../../../faces/pages/reader.ts';
import { removeAppPassword } from '../../rules/app-passwords.ts';
import { appPasswordsInUse } from '../../rules/app-passwords-in-use.ts';
import { OWN_APP_PASSWORDS, REMOVE_APP_PASSWORD } from './app-passwords-view.ts';

const common = { paths: ['/account/app-passwords/remove'], authentication: 'user' } as const;
const named = { name: Type.String({ description: 'The name of the app password.' }) };

const get = page({
  ...common,
  id: 'org/service/repository/portal/account/app-password-remove.get',
  summary: 'Ask before an app password is removed.',
  method: 'GET',
  input: { query: Type.Object(named) },
  async perform(context) {
    const { caller, input, store, ticketState } = context;
    const reader = await userReader(context);
    const { say } = reader;
    const all = await appPasswordsInUse(store, caller.user, ticketState);
    const appPassword = all?.find(({ name }) => name === input.query.name);
    if (appPassword === undefined) return refuse('app_password_not_found');
    const { name, tickets } = appPassword;
    const title = say('appPasswords.removeTitle', { name });
    const question = confirmation(reader, {
      sentence: say('appPasswords.removeSentence', { count: tickets }),
      hidden: { name },
      action: REMOVE_APP_PASSWORD,
      submit: say('appPasswords.remove'),
      isDangerous: true,
      cancel: OWN_APP_PASSWORDS,
    });
    const body = html`<h1>${title}</h1>${question}`;
    return answer({ text: pageText(reader, { title, body, current: REMOVE_APP_PASSWORD }) });
  },
});

const post = page({
  ...common,
  id: 'org/service/repository/portal/account/app-password-remove.post',
  summary: 'Remove an app password of one’s own.',
  method: 'POST',
  input: { body: form(named) },
  async perform({ caller, input, store }) {
    const outcome = await removeAppPassword(store, caller.user, input.body.name);
    if (outcome === undefined) return refuse('app_password_not_found');
    return seeOther('/portal/account?done=app-password', { changes: outcome.events });
  },
});

/** The page that removes an app password of one's own, after a question (specification, section 21). */
export default [get, post];
