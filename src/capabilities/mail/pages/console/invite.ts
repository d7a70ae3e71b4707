import { isRefusal } from '../../../../core/domain/refusal.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { userAddress } from '../../../../faces/pages/console/addresses.ts';
import { inConsole, isAboutPage, refusedAgain } from '../../../../faces/pages/console/change.ts';
import { consolePage } from '../../../../faces/pages/console/layout.ts';
import { linkButton } from '../../../../faces/pages/console/parts.ts';
import type { UserSections } from '../../../../faces/pages/console/user-sections.ts';
import { html } from '../../../../faces/pages/html.ts';
import type { Reader } from '../../../../faces/pages/layout.ts';
import { form, page } from '../../../../faces/pages/page.ts';
import { changeForm, choiceField, faultSummary, lineField } from '../../../../faces/pages/parts/form.ts';
import { copyText, notice } from '../../../../faces/pages/parts/notice.ts';
import { sentenceOf } from '../../../../faces/pages/refusal-page.ts';
import { LANGUAGES, type Language } from '../../../../faces/pages/texts/texts.ts';
import { unguessableHash } from '../../links.ts';
import invitationsPost from '../../operations/admin/invitations.post.ts';
import type { Invitation } from '../../rules/invite.ts';

const INVITE = '/portal/console/invite-user';

const FIELDS = ['userName', 'firstName', 'lastName', 'email'] as const;
type InviteFields = { readonly [F in (typeof FIELDS)[number]]?: string } & { readonly language?: string };

/** The form that invites somebody: without a password, which the person chooses. */
function invitePage(reader: Reader, values: InviteFields, fault?: string) {
  const { say } = reader;
  const labels = {
    userName: 'console.users.name',
    firstName: 'profile.firstName',
    lastName: 'profile.lastName',
    email: 'profile.email',
  } as const;
  const lines = FIELDS.map((name) =>
    lineField(reader, {
      name,
      label: say(labels[name]),
      value: values[name],
      isOptional: name !== 'userName',
      isFocused: name === 'userName',
      type: name === 'email' ? 'email' : 'text',
    }),
  );
  const language = choiceField({
    name: 'language',
    label: say('invite.language'),
    value: values.language ?? reader.language,
    choices: LANGUAGES.map((value) => ({ value, text: say(`invite.language.${value}`) })),
  });
  const question = changeForm(reader, {
    action: INVITE,
    fields: html`${lines}${language}`,
    submit: say('invite.submit'),
    cancel: '/portal/console/users',
  });
  const body = html`<div class="card">${fault !== undefined && faultSummary([{ sentence: fault }])}<p>${say('invite.intro')}</p>${question}</div>`;
  return consolePage(reader, { title: say('invite.title'), current: '/portal/console/users/', body });
}

/** Says that the mail is on its way, or shows the link this once. */
function invitedPage(reader: Reader, { userName, link }: Invitation, origin: string) {
  const { say } = reader;
  const whole = link?.startsWith('/') ? origin + link : link;
  const outcome =
    whole === undefined
      ? say('invite.mailed', { name: userName })
      : say('invite.handOver', { name: userName });
  const body = html`<div class="card narrow">${notice('good', outcome)}${whole && copyText(reader, whole)}
<p><a class="button" href="${userAddress(userName)}">${say('invite.toUser')}</a></p></div>`;
  return consolePage(reader, { title: userName, current: '/portal/console/users/', body });
}

const common = { paths: ['/console/invite-user'], role: 'administrator' } as const;

const optional = (description: string) => Type.Optional(Type.String({ description }));
const members = {
  ...Object.fromEntries(FIELDS.map((name) => [name, optional(name)])),
  language: optional('The language of the mail.'),
};

const get = page({
  ...common,
  id: 'org/service/repository/portal/console/invite-user.get',
  summary: 'Show the form that invites a user.',
  method: 'GET',
  input: { query: Type.Object({ userName: optional('The user name.') }) },
  perform(context) {
    const { reader } = inConsole(context);
    return answer(invitePage(reader, context.input.query));
  },
});

const post = page({
  ...common,
  id: 'org/service/repository/portal/console/invite-user.post',
  summary: 'Invite a user, and show the link once if it is not mailed.',
  method: 'POST',
  input: { body: form(members) },
  prepare: ({ passwords }) => unguessableHash(passwords),
  async perform(context) {
    const { reader, run } = inConsole(context);
    const {
      formToken: _,
      formOwner: __,
      ...fields
    } = context.input.body as InviteFields & Record<string, string>;
    const filled = Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ''));
    const body = { userName: '', ...filled } as { userName: string; language?: Language };
    const outcome = await run(invitationsPost, { body }, context.prepared);
    if (isRefusal(outcome))
      return isAboutPage(outcome)
        ? outcome
        : refusedAgain(invitePage(reader, fields, sentenceOf(reader, outcome)));
    const { origin } = context.browser as NonNullable<typeof context.browser>;
    return { ...answer(invitedPage(reader, outcome.value, origin)), changes: outcome.changes };
  },
});

export const INVITATIONS = [get, post];

export const userSections: UserSections = {
  notices: {},
  actions: ({ say }, { name, provider, disabled }) =>
    provider === undefined &&
    !disabled &&
    linkButton(`${INVITE}?${new URLSearchParams({ userName: name })}`, say('invite.button')),
  read: async () => () => [],
};
