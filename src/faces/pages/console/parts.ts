import { suffices } from '../../../core/domain/role.ts';
import { type Html, type HtmlValue, html } from '../html.ts';
import type { Reader } from '../layout.ts';
import { changeForm } from '../parts/form.ts';
import { hiddenState, type ShownState } from './meanwhile.ts';

/**
 * A button that changes at once, if what the page shows still holds. `of` is what it names besides the page's user or group.
 */
export const changeButton = (
  reader: Reader,
  action: string,
  submit: string,
  state: ShownState,
  of?: string,
): Html =>
  changeForm(reader, {
    action,
    submit,
    isCompact: true,
    isQuiet: true,
    hidden: { ...hiddenState(state), ...(of !== undefined && { of }) },
    ...(of !== undefined && { submitNamed: `${submit} ${of}` }),
  });

/** A button that changes at once, and is the first thing to do. */
export const mendButton = (reader: Reader, action: string, submit: string, state: ShownState): Html =>
  changeForm(reader, { action, submit, hidden: hiddenState(state), isCompact: true });

/** A link, as a button, to a form or to a page that asks first. */
export const linkButton = (to: string, text: string): Html =>
  html`<a class="button quiet compact" href="${to}">${text}</a>`;

/** A link, as a button, to a page that asks before something is taken away. */
export const dangerButton = (to: string, text: string): Html =>
  html`<a class="button danger compact" href="${to}">${text}</a>`;

/** A part of a page with a heading, and what can be done beside it. */
export const card = (title: string, body: HtmlValue, beside?: HtmlValue): Html =>
  html`<section class="card"><div class="head"><h2>${title}</h2>${beside}</div>${body}</section>`;

/** Whether the reader may change users and groups. */
export const isAdministrator = ({ user }: Reader): boolean => suffices(user?.role, 'administrator');
