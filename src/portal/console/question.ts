import { type HtmlValue, html } from '../html.ts';
import type { Reader } from '../layout.ts';
import type { PageSent } from '../page.ts';
import { type ChangeForm, changeForm } from '../parts/form.ts';
import { consolePage } from './layout.ts';

/** A question before a change that cannot be taken back. */
export interface ChangeQuestion extends ChangeForm {
  readonly title: string;
  /** Names what the change is about, and what follows from it. */
  readonly sentence: HtmlValue;
  /** The path in the navigation that the page belongs to; without an answer the reader goes back there. */
  readonly current: string;
}

/** The page of the console that asks once before a change. */
export function questionPage(
  reader: Reader,
  { title, sentence, current, ...form }: ChangeQuestion,
): PageSent {
  const asked = changeForm(reader, { cancel: current, ...form });
  return consolePage(reader, {
    ...{ title, current },
    body: html`<div class="card narrow"><p>${sentence}</p>${asked}</div>`,
  });
}
