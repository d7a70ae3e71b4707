import { isRefusal } from '../../../../core/domain/refusal.ts';
import { answer } from '../../../../core/operation.ts';
import { userAddress } from '../../../../faces/pages/console/addresses.ts';
import { inConsole, isAboutPage, NAMED, refusedAgain } from '../../../../faces/pages/console/change.ts';
import { consolePage } from '../../../../faces/pages/console/layout.ts';
import type { Html } from '../../../../faces/pages/html.ts';
import { keptForm } from '../../../../faces/pages/kept-form.ts';
import type { Reader } from '../../../../faces/pages/layout.ts';
import { form, page } from '../../../../faces/pages/page.ts';
import userGet from '../../../people/operations/admin/users/user.get.ts';
import appPasswordsPost from '../../operations/admin/users/apppasswords.post.ts';
import {
  appPasswordForm,
  appPasswordMembers,
  askedIn,
  formFault,
  madeAppPassword,
} from '../app-passwords/form-view.ts';

/** The address of the form that makes an app password for a user. */
export const addAddress = (userName: string) => `${userAddress(userName)}/add-app-password`;

function pageWith(reader: Reader, userName: string, title: string, body: Html) {
  return consolePage(reader, { title, current: userAddress(userName), body });
}

/** The form, with what was entered and why it was refused. */
function addPage(
  reader: Reader,
  userName: string,
  values: Parameters<typeof appPasswordForm>[2],
  fault?: Parameters<typeof appPasswordForm>[3],
) {
  const where = { action: addAddress(userName), cancel: userAddress(userName) };
  const title = reader.say('console.users.appPasswordFor', { name: userName });
  return pageWith(reader, userName, title, appPasswordForm(reader, where, values, fault));
}

const common = { paths: ['/console/users/{name}/add-app-password'], role: 'administrator' } as const;

const get = page({
  ...common,
  id: 'org/service/repository/portal/console/users/add-app-password.get',
  summary: 'Show the form that makes an app password for a user.',
  method: 'GET',
  input: { path: NAMED },
  async perform(context) {
    const { reader, run } = inConsole(context);
    const view = await run(userGet, { path: { userName: context.input.path.name } });
    if (isRefusal(view)) return view;
    const { name } = view.value.user;
    const keptFields = keptForm(reader, context, addAddress(name));
    return answer(addPage(keptFields.reader, name, keptFields.values ?? {}), keptFields.booked);
  },
});

const post = page({
  ...common,
  id: 'org/service/repository/portal/console/users/add-app-password.post',
  summary: 'Make an app password for a user, and show it once.',
  method: 'POST',
  input: { path: NAMED, body: form(appPasswordMembers) },
  keepsFields: Object.keys(appPasswordMembers),
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { path, body } = context.input;
    const { expiresAt, ...fields } = askedIn(body, context.now);
    const end = expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() };
    const outcome = await run(appPasswordsPost, {
      path: { userName: path.name },
      body: { ...fields, ...end },
    });
    if (isRefusal(outcome))
      return isAboutPage(outcome)
        ? outcome
        : refusedAgain(addPage(reader, path.name, body, formFault(reader, body, outcome)));
    const { name, password } = outcome.value;
    const { origin } = context.browser as NonNullable<typeof context.browser>;
    const view = { userName: path.name, password, origin, list: userAddress(path.name) };
    const title = reader.say('appPasswords.madeTitle', { name });
    const sent = pageWith(reader, path.name, title, madeAppPassword(reader, view));
    return { ...answer(sent), changes: outcome.changes };
  },
});

/** The form that makes an app password for a user. */
export default [get, post];
