import { Type } from '../../../core/schema.ts';
import { type Html, type HtmlValue, html } from '../html.ts';
import { pageText, type Reader } from '../layout.ts';
import type { PageSent } from '../page.ts';
import { notice } from '../parts/notice.ts';
import type { TextKey } from '../texts/texts.ts';

/** A page of the console: what stands below its navigation. */
export interface ConsolePage {
  /** The heading, and the title in the browser. */
  readonly title: string;
  /** Beside the heading: links to what can be done. */
  readonly actions?: HtmlValue;
  /** The page above this one in its section, before the heading. */
  readonly up?: { readonly to: string; readonly text: string };
  /** The path in the navigation that the page belongs to, such as `/portal/console/users`. */
  readonly current: string;
  /** The notice of the change that led here, if one did. */
  readonly done?: Html | undefined;
  readonly body: HtmlValue;
  /** Whether elements of the page have attributes of htmx. */
  readonly usesHtmx?: boolean;
}

/** Makes a page of the console. Its sections, and who sees them, stand in `console-navigation.ts`. */
export function consolePage(reader: Reader, page: ConsolePage): PageSent {
  const { title, actions, up, current, done, body, usesHtmx = false } = page;
  const whole = html`${up && html`<p class="small"><a href="${up.to}">${up.text}</a></p>`}
<div class="head"><h1>${title}</h1>${actions && html`<div class="actions">${actions}</div>`}</div>
${done}${body}`;
  return { text: pageText(reader, { title, body: whole, current, wide: true, usesHtmx }) };
}

/** The argument of a page that a change leads to: which of its notices it shows. */
export const doneArgument = {
  done: Type.Optional(Type.String({ description: 'What a change has done.' })),
};

/** The notice of a change that led to the page, from the notices of the page; no other text from the address is shown. */
export function doneNotice(
  { say }: Reader,
  done: string | undefined,
  notices: Readonly<Record<string, TextKey>>,
): Html | undefined {
  const text = done !== undefined && Object.hasOwn(notices, done) ? notices[done] : undefined;
  return text && notice('good', say(text));
}
