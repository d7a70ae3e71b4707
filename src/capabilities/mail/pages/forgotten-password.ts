import type { BrowserContext } from '../../../core/browser-context.ts';
import { refuse } from '../../../core/domain/refusal.ts';
import { answer } from '../../../core/operation.ts';
import { Type } from '../../../core/schema.ts';
import { html } from '../../../faces/pages/html.ts';
import { pageText } from '../../../faces/pages/layout.ts';
import { page, seeOther } from '../../../faces/pages/page.ts';
import { changeForm, lineField } from '../../../faces/pages/parts/form.ts';
import { anyReader } from '../../../faces/pages/reader.ts';
import { requestLink } from '../rules/request-link.ts';
import '../tools.ts';

const FORM = '/portal/forgotten-password';
const SENT = `${FORM}/sent`;

const offers = (browser: BrowserContext | undefined) => browser?.mailsLinks === true;

const get = page({
  id: 'org/service/repository/portal/forgotten-password.get',
  summary: 'Ask whose password is forgotten.',
  method: 'GET',
  paths: ['/forgotten-password'],
  authentication: 'none',
  input: {},
  perform({ browser, languageAmong }) {
    if (!offers(browser)) return refuse('path_unknown');
    const reader = anyReader({ browser, languageAmong });
    const { say } = reader;
    const title = say('forgotten.title');
    const fields = lineField(reader, {
      name: 'username',
      label: say('forgotten.username'),
      autocomplete: 'username',
      isFocused: true,
    });
    const form = changeForm(reader, {
      action: FORM,
      fields,
      submit: say('forgotten.submit'),
      cancel: '/portal/login',
    });
    const body = html`<h1>${title}</h1><p>${say('forgotten.intro')}</p>\n${form}`;
    return answer({ text: pageText(reader, { title, body }) });
  },
});

/** Gives the same answer in the same time for every name, so that a stranger cannot find out which names exist. */
const post = page({
  id: 'org/service/repository/portal/forgotten-password.post',
  summary: 'Send a link to choose a new password.',
  method: 'POST',
  paths: ['/forgotten-password'],
  authentication: 'none',
  input: {
    body: Type.Object({
      username: Type.String({
        refusal: 'username_missing',
        description: 'User name, or the address in the profile.',
      }),
    }),
  },
  prepare: async ({ browser, input: { body }, passwords }) =>
    offers(browser as BrowserContext | undefined)
      ? passwords.takeLinkRequest(body.username)
      : refuse('path_unknown'),
  async perform({ input: { body }, prepared: isTaken, store, keyOf, now, ...context }) {
    const { language } = anyReader(context);
    const person = { text: body.username, key: keyOf(body.username) };
    const { events } = await requestLink(store, person, { isTaken, language, now });
    return seeOther(SENT, { changes: events });
  },
});

const sent = page({
  id: 'org/service/repository/portal/forgotten-password-sent.get',
  summary: 'Say that a link was sent, if the user has an address.',
  method: 'GET',
  paths: ['/forgotten-password/sent'],
  authentication: 'none',
  input: {},
  perform(context) {
    const reader = anyReader(context);
    const { say } = reader;
    const title = say('forgotten.sentTitle');
    const body = html`<h1>${title}</h1><p>${say('forgotten.sent')}</p>\n<p class="hint">${say('forgotten.sentNone')}</p>
<p class="actions"><a class="button quiet" href="/portal/login">${say('forgotten.toSignIn')}</a></p>`;
    return answer({ text: pageText(reader, { title, body }) });
  },
});

/** The pages for people who have forgotten their password. They are there if a mail server is set. */
export const FORGOTTEN_PASSWORD = [get, post, sent];
