import { answer } from '../../../core/operation.ts';
import type { ShowRefused } from '../../../core/representations/representation.ts';
import { Type } from '../../../core/schema.ts';
import { html } from '../../../faces/pages/html.ts';
import { pageText, type Reader } from '../../../faces/pages/layout.ts';
import { page, seeOther } from '../../../faces/pages/page.ts';
import { changeForm, faultSummary } from '../../../faces/pages/parts/form.ts';
import {
  formFaultOf,
  newPasswordField,
  type PasswordFormFault,
} from '../../../faces/pages/parts/password-form.ts';
import { anyReader } from '../../../faces/pages/reader.ts';
import { refusalPage } from '../../../faces/pages/refusal-page.ts';
import { CHOOSE_PASSWORD, type LinkSecret, liveLink } from '../links.ts';
import { choosePassword, prepareChoice } from '../rules/choose-password.ts';
import type { PasswordLinkTools } from '../tools.ts';

/** The page where the owner of a link chooses a password, which a directory may have. The user's name is for password managers. */
function choosePage(
  reader: Reader,
  secret: LinkSecret,
  { name, isElsewhere }: { readonly name: string; readonly isElsewhere: boolean },
  fault?: PasswordFormFault,
): string {
  const { say } = reader;
  const title = say('choosePassword.title');
  const form = changeForm(reader, {
    action: CHOOSE_PASSWORD,
    hidden: { ...secret, username: name, ...(isElsewhere && { elsewhere: 'true' }) },
    fields: newPasswordField(reader, fault, { isElsewhere }),
    submit: say('choosePassword.submit'),
  });
  const body = html`<h1>${title}</h1>
${fault && faultSummary([fault])}
<p>${say('choosePassword.intro', { name })}</p>
<input type="text" autocomplete="username" value="${name}" hidden>
${form}`;
  return pageText(reader, { title, body });
}

function outcomePage(reader: Reader, key: 'done' | 'dead', isOffered: boolean): string {
  const { say } = reader;
  const title = say(`choosePassword.${key}Title`);
  const again = key === 'dead' && isOffered;
  const body = html`<h1>${title}</h1><p>${say(`choosePassword.${key}`)}</p>
<p class="actions">${again && html`<a class="button" href="/portal/forgotten-password">${say('forgotten.again')}</a>`}
<a class="button${again && ' quiet'}" href="/portal/login">${say('forgotten.toSignIn')}</a></p>`;
  return pageText(reader, { title, body });
}

const secretMembers = {
  id: Type.Optional(Type.String({ description: 'What the link is for.', maxLength: 64 })),
  key: Type.Optional(Type.String({ description: 'Its secret.', maxLength: 256 })),
};

const secretIn = ({ id = '', key = '' }: Partial<LinkSecret>): LinkSecret => ({ id, key });

/** Uses nothing up: programs that look through mails open the links in them. */
const get = page({
  id: 'org/service/repository/portal/choose-password.get',
  summary: 'Ask the owner of a link for a new password.',
  method: 'GET',
  paths: ['/choose-password'],
  authentication: 'none',
  input: { query: Type.Object(secretMembers) },
  async perform({ browser, input: { query }, languageAmong, now, passwordLinks, store }) {
    const reader = anyReader({ browser, languageAmong });
    const secret = secretIn(query);
    const live = await liveLink(store, secret, now, passwordLinks?.resetsAt);
    if (live !== undefined) {
      const { name, provider } = live.user;
      return answer({ text: choosePage(reader, secret, { name, isElsewhere: provider !== undefined }) });
    }
    return answer({ text: outcomePage(reader, 'dead', browser?.mailsLinks === true) });
  },
});

const refusedChoice: ShowRefused = (refused) => {
  const reader = anyReader(refused);
  const fault = formFaultOf(reader, refused);
  const { username: name = '', elsewhere, ...form } = refused.form;
  return fault === undefined
    ? refusalPage(refused)
    : { text: choosePage(reader, secretIn(form), { name, isElsewhere: elsewhere === 'true' }, fault) };
};

const post = page({
  id: 'org/service/repository/portal/choose-password.post',
  summary: 'Set the password that the owner of a link has chosen.',
  method: 'POST',
  paths: ['/choose-password'],
  authentication: 'none',
  input: {
    body: Type.Object({
      ...secretMembers,
      username: Type.Optional(
        Type.String({ description: 'The user name, for the page of a refused password.' }),
      ),
      newPassword: Type.String({
        minLength: 1,
        refusal: 'new_password_missing',
        description: 'The new password.',
      }),
    }),
  },
  refusedHtml: refusedChoice,
  prepare: ({ input: { body }, ...tools }) => prepareChoice(secretIn(body), body.newPassword, tools),
  async perform({ prepared, now, passwordLinks, store }) {
    const change =
      prepared && (await choosePassword(store, prepared, now, passwordLinks as PasswordLinkTools));
    if (change === undefined) return seeOther(CHOOSE_PASSWORD);
    return seeOther(`${CHOOSE_PASSWORD}/done`, { changes: change.events });
  },
});

const done = page({
  id: 'org/service/repository/portal/choose-password-done.get',
  summary: 'Say that the password was set.',
  method: 'GET',
  paths: ['/choose-password/done'],
  authentication: 'none',
  input: {},
  perform: (context) => answer({ text: outcomePage(anyReader(context), 'done', false) }),
});

/** The pages behind a link to choose a password in place of a forgotten one. */
export const CHOOSE_PASSWORD_PAGES = [get, post, done];
