import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { languageAmong } from '../../core/gate/language-among.ts';
import { portalPolicy } from '../../core/http/formats.ts';
import { type Html, html } from '../../faces/pages/html.ts';
import { pageText, type Reader } from '../../faces/pages/layout.ts';
import { changeForm, lineField } from '../../faces/pages/parts/form.ts';
import { anyReader } from '../../faces/pages/reader.ts';
import type { TextKey } from '../../faces/pages/texts/texts.ts';
import { requestFacts } from './adapter.ts';

// The pages of the protocol itself, as the library asks for them: between an application and the pages for people.

type Features = NonNullable<Configuration['features']>;

/** The reader of such a page: in the language that the application asks for, or that of the browser. */
function readerOf(ctx: KoaContextWithOIDC): Reader {
  const locales = ctx.oidc.params?.ui_locales;
  const preferred = (languages: readonly string[]) => languageAmong(languages, ctx.get('accept-language'));
  const browser = requestFacts.get(ctx.req)?.look;
  return anyReader({ languageAmong: preferred, browser }, typeof locales === 'string' ? locales : undefined);
}

function sendPage(ctx: KoaContextWithOIDC, title: string, content: Html): void {
  ctx.set('Content-Security-Policy', portalPolicy(undefined));
  ctx.set('Referrer-Policy', 'same-origin');
  ctx.type = 'html';
  ctx.body = pageText(readerOf(ctx), {
    title,
    body: html`<h1>${title}</h1>
${content}`,
  });
}

const nameOf = ({ oidc: { client } }: KoaContextWithOIDC): string =>
  client?.clientName ?? client?.clientId ?? '';

/** Faults that people can do something about, and the argument that is wrong. */
const FAULTS: Readonly<Record<string, readonly [TextKey, string?]>> = {
  temporarily_unavailable: ['refusal.storeUnavailable'],
  invalid_client: ['application.faultWhy', 'client_id'],
  invalid_redirect_uri: ['application.faultRedirect', 'redirect_uri'],
};

/** Why a device is not signed in, by the name of the error; for any other, its code counts as wrong. */
const DEVICE_FAULTS: Readonly<Record<string, TextKey>> = {
  AbortedError: 'device.aborted',
  UnmetAuthenticationRequirements: 'application.needsFactor',
};

/** What shows that a form is that of a page of this session. */
const xsrfOf = ({ oidc: { session } }: KoaContextWithOIDC): string => String(session?.state?.secret);

const pathTo = (ctx: KoaContextWithOIDC, step: string): string => new URL(ctx.oidc.urlFor(step)).pathname;

export const renderError: Configuration['renderError'] = (ctx, fault) => {
  const { error, error_description: detail } = fault;
  const facts = requestFacts.get(ctx.req);
  if (facts !== undefined) facts.fault = fault;
  const { say } = readerOf(ctx);
  const [key = 'application.faultWhy', argument = ''] = FAULTS[error] ?? [];
  const wrong = ctx.oidc.params?.[argument];
  const why = typeof wrong === 'string' ? html`<code>${wrong}</code>` : detail;
  // An address is shown, and never a link: the application did not register it.
  const content = html`<p>${say(key, { name: nameOf(ctx) })}</p>
<p class="hint"><code>${error}</code>${why !== undefined && html`: ${why}`}</p>`;
  sendPage(ctx, say('application.fault'), content);
};

export const rpInitiatedLogout: Features['rpInitiatedLogout'] = {
  enabled: true,

  logoutSource(ctx) {
    const reader = readerOf(ctx);
    const { say } = reader;
    const name = nameOf(ctx);
    const action = pathTo(ctx, 'end_session_confirm');
    const content = html`<p>${name === '' ? say('application.signOutWhy') : say('application.signOutOf', { name })}</p>
${changeForm(reader, { action, hidden: { xsrf: xsrfOf(ctx), logout: 'yes' }, submit: say('layout.signOut'), cancel: '/portal' })}`;
    sendPage(ctx, say('application.signOut'), content);
  },

  postLogoutSuccessSource(ctx) {
    const { say } = readerOf(ctx);
    const name = nameOf(ctx);
    const title = name === '' ? say('application.signedOut') : say('application.signedOutOf', { name });
    sendPage(ctx, title, html`<p><a href="/portal/login">${say('application.signInAgain')}</a></p>`);
  },
};

export const deviceFlow: Features['deviceFlow'] = {
  enabled: true,
  deviceInfo: () => ({}),

  userCodeInputSource(ctx, _form, _out, fault) {
    const reader = readerOf(ctx);
    const { say } = reader;
    const content = html`${fault && html`<p class="fault">${say(DEVICE_FAULTS[fault.name] ?? 'device.wrong')}</p>`}
${changeForm(reader, { action: pathTo(ctx, 'code_verification'), hidden: { xsrf: xsrfOf(ctx) }, fields: lineField(reader, { name: 'user_code', label: say('device.code'), isFocused: true }), submit: say('device.next') })}`;
    sendPage(ctx, say('device.title'), content);
  },

  userCodeConfirmSource(ctx, _form, _client, _deviceInfo, code) {
    const { say } = readerOf(ctx);
    const content = html`<p>${say('device.confirm')} <code>${code}</code></p>
<form method="post" action="${pathTo(ctx, 'code_verification')}"><input type="hidden" name="xsrf" value="${xsrfOf(ctx)}">
<input type="hidden" name="user_code" value="${code}"><div class="actions"><button name="confirm" value="yes">${say('device.yes')}</button>
<button name="abort" value="yes" class="quiet">${say('device.no')}</button></div></form>`;
    sendPage(ctx, say('device.confirmTitle', { name: nameOf(ctx) }), content);
  },

  successSource(ctx) {
    const { say } = readerOf(ctx);
    sendPage(ctx, say('device.done'), html`<p>${say('device.doneWhy')}</p>`);
  },
};

/** Leads on to an application after a form of this service, by a page: browsers apply `form-action` to every redirect after a form. */
export function leadOn(ctx: KoaContextWithOIDC, address: string): void {
  const { say } = readerOf(ctx);
  const isWeb = /^https?:/.test(address);
  ctx.status = 200;
  ctx.remove('Location');
  ctx.set('Refresh', `0; url=${address}`);
  const link = html`<p><a href="${address}">${say('application.goOn')}</a></p>`;
  sendPage(ctx, say('application.leadsOn'), html`${isWeb && link}`);
}
