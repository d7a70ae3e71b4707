import type { BrowserContext } from '../../../core/browser-context.ts';
import type { HeldTicket } from '../../../core/domain/ticket.ts';
import { answer } from '../../../core/operation.ts';
import { Type } from '../../../core/schema.ts';
import type { ReadUnit } from '../../../core/storage/store.ts';
import { html } from '../../../faces/pages/html.ts';
import { pageText, type Reader, tokenField } from '../../../faces/pages/layout.ts';
import { form, page, seeOther } from '../../../faces/pages/page.ts';
import { userReader } from '../../../faces/pages/reader.ts';
import { HOME } from '../../../faces/pages/return-address.ts';
import type { TextKey } from '../../../faces/pages/texts/texts.ts';
import { tellsName } from '../application.ts';
import { hasDocument } from '../faults.ts';
import { consentKey, entryKey } from '../identifiers.ts';

interface StoredStep {
  readonly prompt?: { readonly name?: string; readonly details?: { readonly clientName?: string } };
  readonly session?: { readonly uid?: string };
  readonly params?: Readonly<Partial<Record<'client_id' | 'redirect_uri' | 'scope' | 'ui_locales', string>>>;
}

const ACTION = '/portal/applications/consent';

/** What each scope lets an application know or do. */
const SCOPES: Readonly<Record<string, TextKey>> = {
  openid: 'consent.openid',
  profile: 'consent.profile',
  email: 'consent.email',
  groups: 'consent.groups',
  offline_access: 'consent.offline',
};

type PendingConsent = NonNullable<Awaited<ReturnType<typeof pendingConsent>>>;

/**
 * The sign-in that waits in this step for the consent of its user, with this very ticket; undefined if there is none, as after its hour.
 */
async function pendingConsent(
  { providerEntries, applications }: ReadUnit,
  step: string,
  { ticket }: HeldTicket,
  now: number,
) {
  const entry = await providerEntries.find(entryKey('Interaction', step));
  if (entry === undefined || (entry.expiresAt ?? 0) <= now) return undefined;
  const { prompt, session, params } = JSON.parse(entry.payload) as StoredStep;
  if (prompt?.name !== 'consent' || session?.uid !== ticket.digest) return undefined;
  const application = await applications.find(params?.client_id ?? '');
  if (application === undefined) return undefined;
  return {
    entry,
    application,
    name: application.settings.title ?? prompt.details?.clientName ?? application.name,
    // A device has none.
    redirectUri: params?.redirect_uri,
    scopes: (params?.scope ?? '').split(' ').filter((each) => Object.hasOwn(SCOPES, each)),
    languages: params?.ui_locales,
  };
}

/** Who says what the application is, and where it sends the user back to. Without a document an administrator said both. */
function documentedBy({ say }: Reader, { application, redirectUri }: PendingConsent) {
  if (!hasDocument(application.name)) return undefined;
  const { host } = new URL(application.name);
  const to = URL.parse(redirectUri ?? '') ?? undefined;
  return html`<p class="hint">${say('consent.document', { host })} ${to && say('consent.backTo', { host: to.host || to.protocol })}</p>`;
}

function consentPage(reader: Reader, step: string, pending: PendingConsent): string {
  const { say } = reader;
  const { application, name, scopes } = pending;
  const { logo } = application.settings;
  const title = say('consent.title', { name });
  const hidesName = !tellsName(application.settings, scopes);
  const textOf = (scope: string) =>
    scope === 'openid' && hidesName ? 'consent.pairwise' : (SCOPES[scope] as TextKey);
  const body = html`${logo?.startsWith('/') && html`<img src="${logo}" width="48" height="48" alt="">`}<h1>${title}</h1>
<p>${say('consent.intro', { name, user: reader.user?.name ?? '' })}</p>
<ul>${scopes.map((scope) => html`<li>${say(textOf(scope))}</li>`)}</ul>
${documentedBy(reader, pending)}<p class="hint">${say('consent.later')}</p>
<form method="post" action="${ACTION}">${tokenField(reader)}<input type="hidden" name="step" value="${step}">
<div class="actions"><button name="decision" value="yes">${say('consent.yes')}</button>
<button name="decision" value="no" class="quiet">${say('consent.no')}</button></div></form>`;
  return pageText(reader, { title, body });
}

const step = Type.String({ description: 'The step of the sign-in.', maxLength: 64 });

const get = page({
  id: 'org/service/repository/portal/applications/consent.get',
  summary: 'Ask for consent to a sign-in at an application.',
  method: 'GET',
  paths: ['/applications/consent'],
  authentication: 'user',
  input: { query: Type.Object({ step }) },
  async perform({ input: { query }, ...context }) {
    const { caller, store, now } = context;
    const pending = await pendingConsent(store, query.step, caller.heldTicket as HeldTicket, now);
    if (pending === undefined) return seeOther(HOME);
    const reader = await userReader(context, pending.languages);
    return answer({ text: consentPage(reader, query.step, pending) });
  },
});

const post = page({
  id: 'org/service/repository/portal/applications/consent.post',
  summary: 'Allow a sign-in at an application, or refuse it.',
  method: 'POST',
  paths: ['/applications/consent'],
  authentication: 'user',
  input: { body: form({ step, decision: Type.String({ description: 'yes or no.' }) }) },
  async perform({ input: { body }, caller, store, now, browser }) {
    const pending = await pendingConsent(store, body.step, caller.heldTicket as HeldTicket, now);
    if (pending === undefined) return seeOther(HOME);
    const { entry, application, scopes } = pending;
    const isAllowed = body.decision === 'yes';
    const result = isAllowed
      ? { consent: {} }
      : { error: 'access_denied', error_description: 'the user refused' };
    const waiting = JSON.parse(entry.payload);
    await store.providerEntries.put({ ...entry, payload: JSON.stringify({ ...waiting, result }) });
    if (isAllowed) {
      const about = { client: application.name, userId: caller.user.id };
      const digest = consentKey(about.userId, about.client);
      const before = await store.providerEntries.find(digest);
      const all = new Set([...scopes, ...(before === undefined ? [] : JSON.parse(before.payload).scopes)]);
      const payload = JSON.stringify({ scopes: [...all], at: now });
      await store.providerEntries.put({ ...about, digest, kind: 'Consent', payload });
    }
    const isDevice = waiting.deviceCode !== undefined;
    return seeOther((browser as BrowserContext).stepAddress?.(body.step, isDevice) ?? HOME);
  },
});

declare module '../../../core/browser-context.ts' {
  interface BrowserTools {
    /** Where the sign-in at an application goes on after this step. */
    readonly stepAddress?: (step: string, isDevice: boolean) => string;
    /** The issuer, as applications name it. */
    readonly issuer?: string;
  }
}

export default [get, post];
