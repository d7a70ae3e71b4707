import { isRefusal, type Refusal } from '../../../../core/domain/refusal.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { addressWith } from '../../../../faces/pages/console/addresses.ts';
import { changedThen, inConsole } from '../../../../faces/pages/console/change.ts';
import { consolePage, doneArgument, doneNotice } from '../../../../faces/pages/console/layout.ts';
import { card, changeButton, isAdministrator } from '../../../../faces/pages/console/parts.ts';
import { type Html, html } from '../../../../faces/pages/html.ts';
import type { Reader } from '../../../../faces/pages/layout.ts';
import { form, type PageSent, page } from '../../../../faces/pages/page.ts';
import { changeForm, lineField } from '../../../../faces/pages/parts/form.ts';
import { notice } from '../../../../faces/pages/parts/notice.ts';
import { sentenceOf } from '../../../../faces/pages/refusal-page.ts';
import { outboxTable } from '../../../webhooks/pages/outbox-table.ts';
import type { WebhookState } from '../../../webhooks/tables/webhooks.ts';
import retryPost from '../../operations/admin/mail/retry.post.ts';
import testPost, { sendTest } from '../../operations/admin/mail/test.post.ts';
import mailGet from '../../operations/admin/mail.get.ts';

const MAIL = '/portal/console/mail';

/** What came of a change, above the page, and the address that a test mail went to. */
interface Said {
  readonly done?: Html | undefined;
  readonly to?: string;
  readonly fault?: string;
}

function mailPage(reader: Reader, state: WebhookState | undefined, { done, to, fault }: Said): PageSent {
  const { say } = reader;
  const mayChange = isAdministrator(reader);
  const again = () => changeButton(reader, `${MAIL}/retry`, say('console.outbox.again'), {});
  const list = outboxTable(reader, say('console.mail'), state === undefined ? [] : [state], {
    first: { heading: say('console.mail.outbox'), cell: () => say('console.mail.letters') },
    whenEmpty: say('console.mail.none'),
    ...(mayChange && { again }),
  });
  const label = say('profile.email');
  const test = changeForm(reader, {
    action: `${MAIL}/test`,
    fields: lineField(reader, { name: 'to', type: 'email', label, value: to, fault, autocomplete: 'email' }),
    submit: say('console.mail.send'),
  });
  return consolePage(reader, {
    title: say('console.mail'),
    current: MAIL,
    done,
    body: html`<p>${say('console.mail.what')}</p>${list}${mayChange && state !== undefined && card(say('console.mail.test'), test)}`,
  });
}

const administrator = { role: 'administrator', method: 'POST' } as const;

const list = page({
  id: 'org/service/repository/portal/console/mail.get',
  summary: 'Show how far mail is behind.',
  method: 'GET',
  paths: ['/console/mail'],
  role: 'operator',
  input: { query: Type.Object(doneArgument) },
  async perform(context) {
    const { reader, run } = inConsole(context);
    const state = await run(mailGet, {});
    if (isRefusal(state)) return state;
    const done = doneNotice(reader, context.input.query.done, { retry: 'console.mail.retried' });
    return answer(mailPage(reader, state.value, { done }));
  },
});

const retry = page({
  ...administrator,
  id: 'org/service/repository/portal/console/mail/retry.post',
  summary: 'Send the mails now that wait or were given up.',
  paths: ['/console/mail/retry'],
  input: { body: form({}) },
  async perform(context) {
    const outcome = await inConsole(context).run(retryPost, {});
    return isRefusal(outcome) ? outcome : changedThen(addressWith(MAIL, { done: 'retry' }), outcome);
  },
});

/** What is said of a test mail: that the server took it, or why it did not. */
function saidOf(reader: Reader, to: string, outcome: Refusal | { readonly fault: string | undefined }): Said {
  const { say } = reader;
  if (isRefusal(outcome)) return { to, fault: sentenceOf(reader, outcome) };
  const { fault } = outcome;
  if (fault === undefined) return { done: notice('good', say('console.mail.taken', { to })) };
  return { to, done: notice('bad', html`${say('console.mail.refused')} <code>${fault}</code>`) };
}

const test = page({
  ...administrator,
  id: 'org/service/repository/portal/console/mail/test.post',
  summary: 'Send a test mail, and show the answer of the mail server.',
  paths: ['/console/mail/test'],
  input: { body: form({ to: Type.Optional(Type.String()) }) },
  prepare: async ({ input: { body }, mailTools }) => ({
    sent: await sendTest({ mailTools }, (body.to ?? '').trim()),
  }),
  async perform(context) {
    const { reader, run } = inConsole(context);
    const to = (context.input.body.to ?? '').trim();
    const { sent } = context.prepared;
    const outcome = isRefusal(sent) ? undefined : await run(testPost, { body: { to } }, sent);
    if (isRefusal(outcome)) return outcome;
    const state = await run(mailGet, {});
    if (isRefusal(state)) return state;
    const sentPage = mailPage(reader, state.value, saidOf(reader, to, sent));
    const changes = outcome?.changes ?? [];
    return { ...answer(sentPage, isRefusal(sent) ? { status: 422 } : {}), changes };
  },
});

export const MAIL_PAGES = [list, retry, test];
