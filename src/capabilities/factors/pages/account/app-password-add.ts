import { isRefusal } from '../../../../core/domain/refusal.ts';
import type { User } from '../../../../core/domain/user.ts';
import { answer } from '../../../../core/operation.ts';
import { type Html, html } from '../../../../faces/pages/html.ts';
import { keptForm } from '../../../../faces/pages/kept-form.ts';
import { pageText, type Reader } from '../../../../faces/pages/layout.ts';
import { form, page } from '../../../../faces/pages/page.ts';
import { provedRecently, proveFirst } from '../../../../faces/pages/proof.ts';
import { userReader } from '../../../../faces/pages/reader.ts';
import { makeAppPasswordFor } from '../../rules/app-passwords.ts';
import {
  appPasswordForm,
  appPasswordMembers,
  askedIn,
  formFault,
  madeAppPassword,
} from '../app-passwords/form-view.ts';
import { ADD_APP_PASSWORD, OWN_APP_PASSWORDS } from './app-passwords-view.ts';

const common = { paths: ['/account/app-passwords/add'], authentication: 'user' } as const;
const where = { action: ADD_APP_PASSWORD, cancel: OWN_APP_PASSWORDS };

function pageWith(reader: Reader, title: string, card: Html): { readonly text: string } {
  const body = html`<h1>${title}</h1>${card}`;
  return { text: pageText(reader, { title, body, current: ADD_APP_PASSWORD }) };
}

const get = page({
  ...common,
  id: 'org/service/repository/portal/account/app-password-add.get',
  summary: 'Show the form that makes an app password.',
  method: 'GET',
  input: {},
  async perform(context) {
    if (!provedRecently(context)) return proveFirst(ADD_APP_PASSWORD);
    const keptFields = keptForm(await userReader(context), context, ADD_APP_PASSWORD);
    const { reader, values = {}, booked } = keptFields;
    return answer(
      pageWith(reader, reader.say('appPasswords.add'), appPasswordForm(reader, where, values)),
      booked,
    );
  },
});

const post = page({
  ...common,
  id: 'org/service/repository/portal/account/app-password-add.post',
  summary: 'Make an app password, and show it once.',
  method: 'POST',
  input: { body: form(appPasswordMembers) },
  keepsFields: Object.keys(appPasswordMembers),
  async perform(context) {
    if (!provedRecently(context)) return proveFirst(ADD_APP_PASSWORD);
    const { browser, caller, input, newAppPassword, now, store } = context;
    const reader = await userReader(context);
    const user = (await store.users.find(caller.user.id)) as User;
    const { password, digest } = newAppPassword();
    const outcome = await makeAppPasswordFor(store, user, { ...askedIn(input.body, now), digest }, now);
    if (isRefusal(outcome)) {
      const fault = formFault(reader, input.body, outcome);
      const again = appPasswordForm(reader, where, input.body, fault);
      return answer(pageWith(reader, reader.say('appPasswords.add'), again), { status: 422 });
    }
    const { origin } = browser as NonNullable<typeof browser>;
    const view = { userName: user.name, password, origin, list: OWN_APP_PASSWORDS };
    const title = reader.say('appPasswords.madeTitle', { name: outcome.appPassword.name });
    return answer(pageWith(reader, title, madeAppPassword(reader, view)), { changes: outcome.events });
  },
});

/** The page that makes an app password of one's own, and shows it once (specification, section 21). */
export default [get, post];
