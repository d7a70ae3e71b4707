import type { Role } from '../domain/role.ts';
import { addressOf } from './assets.ts';
import { type Html, html } from './html.ts';
import type { Language, Say } from './texts/texts.ts';

/** For whom a page is made. */
export interface Reader {
  readonly language: Language;
  readonly say: Say;
  /** Who is signed in, with the highest role; undefined before the sign-in. */
  readonly user?: { readonly name: string; readonly role?: Role | undefined } | undefined;
  /** What the forms of the page carry, so that no other site can send them (`people.md` section 17). */
  readonly formToken?: string | undefined;
}

/** What a page shows below its header. */
export interface PortalPage {
  /** The title in the browser. The body has the heading. */
  readonly title: string;
  readonly body: Html;
  /** Whether the page needs more room than a column of text: tables, plots. */
  readonly wide?: boolean;
  /** The path of the page in the navigation that it belongs to. */
  readonly current?: string;
}

/** The hidden field that each form needs that changes something. */
export const tokenField = ({ formToken }: Reader): Html | undefined =>
  formToken === undefined ? undefined : html`<input type="hidden" name="formToken" value="${formToken}">`;

/** A link of the navigation. `current` is the page on which it stands. */
function navLink(to: string, text: string, current = ''): Html {
  const isBelow = current.startsWith(`${to}/`) && 'true';
  return html`<a href="${to}" aria-current="${current === to ? 'page' : isBelow}">${text}</a>`;
}

function navigation(reader: Reader, current: string | undefined): Html | undefined {
  const { say, user } = reader;
  if (user === undefined) return undefined;
  return html`<nav class="site-nav" aria-label="${say('layout.pages')}">
${navLink('/portal/account', say('layout.account'), current)}
${user.role && navLink('/portal/console', say('layout.console'), current)}
<form method="post" action="/portal/logout">${tokenField(reader)}<button class="quiet">${say('layout.signOut')}</button></form>
</nav>`;
}

/** A whole page, from its doctype on. */
export function pageText(reader: Reader, { title, body, wide, current }: PortalPage): string {
  const { language, say } = reader;
  const page = html`<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Tessera</title>
<link rel="icon" type="image/svg+xml" href="${addressOf('mark.svg')}">
<link rel="stylesheet" href="${addressOf('portal.css')}">
<script src="${addressOf('portal.js')}" defer></script></head>
<body><a class="skip" href="#main">${say('layout.skip')}</a>
<header class="site"><a class="mark" href="/portal">Tessera</a>${navigation(reader, current)}</header>
<main id="main" tabindex="-1" class="${wide ? 'wide' : undefined}">${body}</main></body></html>
`;
  return `<!doctype html>\n${page}`;
}

/** A moment, in epoch milliseconds. The text is in UTC; the script of the page shows it in the reader's time zone. */
export function shownTime(ms: number, { language }: Pick<Reader, 'language'>): Html {
  const moment = new Date(ms);
  const format = new Intl.DateTimeFormat(language, {
    ...{ dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' },
  });
  return html`<time datetime="${moment.toISOString()}">${format.format(moment)} UTC</time>`;
}
