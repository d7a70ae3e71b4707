import type { Profile } from '../../../../core/domain/profile.ts';
import { isRefusal, type Refusal } from '../../../../core/domain/refusal.ts';
import { isPasswordless, type User } from '../../../../core/domain/user.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import type { ReadUnit } from '../../../../core/storage/store.ts';
import { html } from '../../../../faces/pages/html.ts';
import { pageText, type Reader } from '../../../../faces/pages/layout.ts';
import { form, page, seeOther } from '../../../../faces/pages/page.ts';
import { changeForm, faultSummary, lineField } from '../../../../faces/pages/parts/form.ts';
import { userReader } from '../../../../faces/pages/reader.ts';
import { sentenceOf } from '../../../../faces/pages/refusal-page.ts';
import { bringUser } from '../../rules/bring-user.ts';

export const OWN_PROFILE = '/portal/account/profile';

/**
 * The fields that users change themselves. An administrator changes the e-mail address: applications and services behind the gate
 * rely on it, so no user may claim the address of another person.
 */
const FIELDS = ['firstName', 'lastName', 'telephone', 'mobile', 'location'] as const;

/** Where browsers find a value for a field. */
const AUTOCOMPLETE = {
  firstName: 'given-name',
  lastName: 'family-name',
  telephone: 'tel',
  mobile: 'tel',
  location: 'off',
} as const;

/**
 * The user, if it may change the own profile: a directory, a provider or SCIM would write over a change. A user without a password may be
 * anybody.
 */
export async function mayChangeProfile(
  { users, externalIds }: Pick<ReadUnit, 'users' | 'externalIds'>,
  { id }: Pick<User, 'id'>,
): Promise<User | undefined> {
  const [user, owners] = await Promise.all([users.find(id), externalIds.of('user', [id])]);
  const isLocal = user !== undefined && user.provider === undefined && !isPasswordless(user);
  return isLocal && !owners.has(id) ? user : undefined;
}

function profilePage(reader: Reader, profile: Profile, refused?: Refusal): string {
  const { say } = reader;
  const title = say('account.profileTitle');
  const fields = FIELDS.map((name) =>
    lineField(reader, {
      name,
      label: say(`profile.${name}`),
      value: profile[name],
      isOptional: true,
      autocomplete: AUTOCOMPLETE[name],
    }),
  );
  const edited = changeForm(reader, {
    action: OWN_PROFILE,
    fields,
    submit: say('console.save'),
    cancel: '/portal/account',
  });
  const body = html`<div class="card narrow"><h1>${title}</h1>
${refused && faultSummary([{ sentence: sentenceOf(reader, refused) }])}<p>${say('account.profileHint')}</p>${edited}</div>`;
  return pageText(reader, { title, body, current: OWN_PROFILE });
}

/** The page for a user whose profile is kept elsewhere. */
function elsewherePage(reader: Reader): string {
  const { say } = reader;
  const title = say('account.profileTitle');
  const body = html`<div class="card narrow"><h1>${title}</h1><p>${say('account.profileElsewhere')}</p>
<p class="actions"><a class="button quiet" href="/portal/account">${say('password.back')}</a></p></div>`;
  return pageText(reader, { title, body, current: OWN_PROFILE });
}

const common = { paths: ['/account/profile'], authentication: 'user' } as const;
const text = Type.Optional(Type.String());
const members = Object.fromEntries(FIELDS.map((name) => [name, text])) as Record<
  (typeof FIELDS)[number],
  typeof text
>;

const get = page({
  ...common,
  id: 'org/service/repository/portal/account/profile.get',
  summary: 'Show the form for the own profile.',
  method: 'GET',
  input: {},
  async perform(context) {
    const { caller, store } = context;
    const reader = await userReader(context);
    if ((await mayChangeProfile(store, caller.user)) === undefined)
      return answer({ text: elsewherePage(reader) });
    return answer({ text: profilePage(reader, await store.profiles.find(caller.user.id)) });
  },
});

const post = page({
  ...common,
  id: 'org/service/repository/portal/account/profile.post',
  summary: 'Change the own profile.',
  method: 'POST',
  input: { body: form(members) },
  async perform(context) {
    const { caller, store, input } = context;
    const user = await mayChangeProfile(store, caller.user);
    if (user === undefined) return seeOther(OWN_PROFILE);
    // An empty field is left out of the form, and its value goes.
    const profile: Profile = Object.fromEntries(FIELDS.map((name) => [name, input.body[name]?.trim() ?? '']));
    const outcome = await bringUser(store, user, { profile });
    if (!isRefusal(outcome)) return seeOther('/portal/account?done=profile', { changes: outcome.events });
    return answer({ text: profilePage(await userReader(context), profile, outcome) }, { status: 422 });
  },
});

/** The page where local users change their own profile (specification, section 18). */
export default [get, post];
