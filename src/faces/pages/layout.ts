import { type Brand, NO_BRAND, nameIn } from '../../core/domain/brand.ts';
import { type KeyRole, type Role, suffices } from '../../core/domain/role.ts';
import { addressOf } from './assets.ts';
import { brandAddressOf } from './brand-assets.ts';
import { type PageStyle, pageFoot } from './foot.ts';
import { type Html, html } from './html.ts';
import { type IconName, icon } from './parts/icons.ts';
import { inEachLanguage, type Language, type TextKey } from './texts/texts.ts';

/** A section of the console, as its navigation lists it. */
export interface ConsoleSection {
  readonly to: `/portal/console${string}`;
  readonly text: TextKey & `console.${IconName}`;
  /** The least role that may see it. */
  readonly role: Role;
}

/** The sections of the console, in the order of the navigation. */
export const CONSOLE_SECTIONS: readonly ConsoleSection[] = [
  { to: '/portal/console', text: 'console.start', role: 'auditor' },
  { to: '/portal/console/users', text: 'console.users', role: 'operator' },
  { to: '/portal/console/groups', text: 'console.groups', role: 'operator' },
  { to: '/portal/console/tickets', text: 'console.tickets', role: 'auditor' },
  { to: '/portal/console/events', text: 'console.events', role: 'auditor' },
  { to: '/portal/console/lock-outs', text: 'console.lockOuts', role: 'operator' },
  { to: '/portal/console/applications', text: 'console.applications', role: 'operator' },
  { to: '/portal/console/clients', text: 'console.clients', role: 'operator' },
  { to: '/portal/console/api-keys', text: 'console.apiKeys', role: 'operator' },
  { to: '/portal/console/settings', text: 'console.settings', role: 'operator' },
  { to: '/portal/console/actions', text: 'console.actions', role: 'operator' },
];

declare module '../../core/browser-context.ts' {
  interface BrowserTools {
    /** Further sections of the console, of capabilities that are set. */
    readonly consoleSections: readonly ConsoleSection[];
  }
}

/** The reader of a page. */
export interface Reader extends PageStyle {
  /** The signed-in user, with the highest role; undefined before the sign-in. */
  readonly user?: { readonly name: string; readonly role?: KeyRole | undefined } | undefined;
  /** The CSRF token of the page's forms (specification, section 17). */
  readonly formToken?: string | undefined;
  readonly consoleSections?: readonly ConsoleSection[] | undefined;
  /** Seals whose page it is, for forms that are kept beyond the end of a sign-in. */
  readonly sealOwner?: (() => string) | undefined;
  /** Says above such a form that it came too late, and what the reader does now. */
  readonly keptNotice?: Html | undefined;
}

/** The content of a page, below its header. */
export interface PortalPage {
  /** The title in the browser. The body has the heading. */
  readonly title: string;
  readonly body: Html;
  /** Whether the page needs more room than a column of text. A page of the console has it anyway. */
  readonly wide?: boolean;
  /** The path in the navigation that the page belongs to. Below `/portal/console` the page has the console's navigation. */
  readonly current?: string;
  /** The address on another host to which the page leads at once. */
  readonly leadsTo?: string;
  /** Whether elements of the page have attributes of htmx. */
  readonly usesHtmx?: boolean;
  /** Whether a form of the page is for a passkey. */
  readonly usesPasskeys?: boolean;
}

/** The hidden field with the CSRF token. Each form that changes something needs it. */
export const tokenField = ({ formToken }: Reader): Html | undefined =>
  formToken === undefined ? undefined : html`<input type="hidden" name="formToken" value="${formToken}">`;

const CONSOLE = '/portal/console';

const isWithin = (path: string, current: string) => current === path || current.startsWith(`${path}/`);

/** A link of a navigation: to the page itself, or to the part of the service that it belongs to. */
const navLink = (to: string, text: Html, current: string): Html =>
  html`<a href="${to}" aria-current="${to === current ? 'page' : isWithin(to, current) && 'true'}">${text}</a>`;

function siteNavigation(reader: Reader, current: string): Html | undefined {
  const { say, user } = reader;
  if (user === undefined) return undefined;
  return html`<nav class="site-nav" aria-label="${say('layout.pages')}">
${navLink('/portal/account', html`${icon('account')}<span class="who">${user.name}</span> <span class="what">${say('layout.account')}</span>`, current)}
${user.role && navLink(CONSOLE, html`${icon('console')}${say('layout.console')}`, current)}
<form method="post" action="/portal/logout">${tokenField(reader)}<button class="quiet">${icon('signOut')}${say('layout.signOut')}</button></form>
</nav>`;
}

const iconOf = (text: ConsoleSection['text']) => text.slice('console.'.length) as IconName;

/** The sections that the reader may open. */
export const sectionsFor = ({ user, consoleSections = [] }: Reader): readonly ConsoleSection[] =>
  [...CONSOLE_SECTIONS, ...consoleSections].filter(({ role }) => suffices(user?.role, role));

function consoleNavigation(reader: Reader, current: string): Html {
  const { say } = reader;
  // The start is above all other sections, and is not one of them.
  const links = sectionsFor(reader).map(({ to, text }) =>
    navLink(to, html`${icon(iconOf(text))}${say(text)}`, to === CONSOLE && current !== to ? '' : current),
  );
  const search = say('console.search');
  return html`<div class="beside"><form class="find" role="search" action="/portal/console/search"><input type="search" name="q" aria-label="${search}" placeholder="${search}" aria-keyshortcuts="Control+K" autocomplete="off"></form>
<nav class="side" aria-label="${say('layout.console')}">${links}</nav></div>`;
}

/** The configuration of htmx: no style that the policy refuses, no code in attributes, no other host. */
const HTMX = '{"includeIndicatorCSS":false,"mode":"same-origin","extensions":"none"}';

const htmxOf = (usesHtmx: boolean | undefined): Html | undefined =>
  usesHtmx
    ? html`<meta name="htmx-config" content="${HTMX}"><script src="${addressOf('htmx')}" defer></script>`
    : undefined;

const passkeysOf = (usesPasskeys: boolean | undefined): Html | undefined =>
  usesPasskeys ? html`<script src="${addressOf('passkeys')}" defer></script>` : undefined;

function headOf(brand: Brand, { title, usesHtmx, usesPasskeys, leadsTo }: PortalPage): Html {
  const { brandAccent } = brand;
  return html`<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${nameIn(brand)}</title>
${leadsTo !== undefined && html`<meta http-equiv="refresh" content="0; url=${leadsTo}">`}
<link rel="icon" type="image/svg+xml" href="${logoOf(brand)}">
<link rel="stylesheet" href="${addressOf('style')}">
${brandAccent !== '' && html`<link rel="stylesheet" href="${brandAddressOf('brand', brand)}">\n`}${htmxOf(usesHtmx)}${passkeysOf(usesPasskeys)}<script src="${addressOf('script')}" defer></script></head>`;
}

const logoOf = (brand: Brand): string =>
  brand.brandLogo === '' ? addressOf('mark') : brandAddressOf('logo', brand);

function headerOf(reader: Reader, brand: Brand, current: string): Html {
  return html`<header class="site"><a class="mark" href="/portal"><img src="${logoOf(brand)}" width="${brand.brandLogo === '' && '28'}" height="28" alt=""> <span class="name">${nameIn(brand)}</span></a>${siteNavigation(reader, current)}</header>`;
}

/** A whole page, from its doctype on. */
export function pageText(reader: Reader, page: PortalPage): string {
  const { language, say, user, brand = NO_BRAND, theme } = reader;
  const { body, wide, current = '' } = page;
  const main = html`<main id="main" tabindex="-1" class="${wide && 'wide'}">${body}</main>`;
  const content =
    user !== undefined && isWithin(CONSOLE, current)
      ? html`<div class="columns">${consoleNavigation(reader, current)}${main}</div>`
      : main;
  const text = html`<html lang="${language}" data-theme="${theme}">
${headOf(brand, page)}
<body class="${user === undefined && 'signed-out'}"><a class="skip" href="#main">${say('layout.skip')}</a>
${headerOf(reader, brand, current)}
${content}
${pageFoot(reader)}</body></html>
`;
  return `<!doctype html>\n${text}`;
}

/** How exactly a time is shown: to the minute, or to the second. */
type TimeStyle = 'short' | 'medium';

const timeIn = (language: Language, timeStyle: TimeStyle) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle, timeZone: 'UTC' });

/** Made once: making a format costs more than a whole page. */
const TIMES: Readonly<Record<TimeStyle, Readonly<Record<Language, Intl.DateTimeFormat>>>> = {
  short: inEachLanguage((language) => timeIn(language, 'short')),
  medium: inEachLanguage((language) => timeIn(language, 'medium')),
};

function timeElement(ms: number, language: Language, timeStyle: TimeStyle): Html {
  const moment = new Date(ms);
  const style = timeStyle === 'medium' && timeStyle;
  return html`<time datetime="${moment.toISOString()}" data-time-style="${style}">${TIMES[timeStyle][language].format(moment)} UTC</time>`;
}

/** A moment, in epoch milliseconds. The text is in UTC; the script of the page shows it in the reader's time zone. */
export const shownTime = (ms: number, { language }: Pick<Reader, 'language'>): Html =>
  timeElement(ms, language, 'short');

/** As {@link shownTime}, with seconds: for lists whose rows are compared with logs of other programs. */
export const exactTime = (ms: number, { language }: Pick<Reader, 'language'>): Html =>
  timeElement(ms, language, 'medium');
