import { type Html, type HtmlValue, html } from '../html.ts';
import { type Reader, tokenField } from '../layout.ts';

/** The members that every field of a form has. The id of its input is `field-` and its name. */
interface LabelledField {
  readonly name: string;
  readonly label: string;
  /** The hint below the label: what to enter. */
  readonly hint?: HtmlValue;
  /** Why what was entered is refused. */
  readonly fault?: string | undefined;
}

/** A field of one line. */
export interface LineField extends LabelledField {
  readonly type?: 'text' | 'password' | 'email' | 'search' | 'number' | 'date' | 'datetime-local';
  readonly value?: string | number | undefined;
  readonly isOptional?: boolean;
  readonly isFocused?: boolean;
  /** As HTML names what browsers and password managers fill in (HTML standard section 4.10.18.7). */
  readonly autocomplete?: string;
  /** Of a time in UTC: the label once the script takes the time of the reader's clock. */
  readonly localLabel?: string;
  /** Of a new password: where the script asks how strong it is. */
  readonly strengthUrl?: string;
}

const idOf = ({ name }: Pick<LabelledField, 'name'>) => `field-${name}`;

/** The label, the hint and the fault of a field around its input, which gets the ids of hint and fault. */
function labelled(field: LabelledField, input: (describedBy: string | undefined) => Html, mark?: Html): Html {
  const id = idOf(field);
  const { label, hint, fault } = field;
  const ids = [hint !== undefined && `${id}-hint`, fault !== undefined && `${id}-fault`];
  const describedBy = ids.filter((each) => each !== false).join(' ') || undefined;
  return html`<div class="field"><label for="${id}">${label}${mark}</label>
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${fault !== undefined && html`<p class="fault" id="${id}-fault">${fault}</p>`}
${input(describedBy)}</div>`;
}

/** Names are not words: no phone writes them with a capital, and no browser corrects them. */
const isName = (autocomplete: string | undefined) => autocomplete?.startsWith('username');

/** A field of one line: required, unless it is optional, which its label says. */
export function lineField({ say }: Reader, field: LineField): Html {
  const {
    name,
    type = 'text',
    value,
    isOptional = false,
    isFocused,
    autocomplete = 'off',
    strengthUrl,
    localLabel,
  } = field;
  const isPassword = type === 'password';
  const strengthId = strengthUrl === undefined ? undefined : `${idOf(field)}-strength`;
  const input = (
    describedBy: string | undefined,
  ) => html`<input id="${idOf(field)}" name="${name}" type="${type}"
 value="${value}" required="${!isOptional}" autofocus="${isFocused}" autocomplete="${autocomplete}"
 autocapitalize="${isName(autocomplete) && 'none'}" spellcheck="${isName(autocomplete) && 'false'}"
 aria-invalid="${field.fault !== undefined && 'true'}" aria-describedby="${describedBy}"
 step="${type === 'datetime-local' && '1'}" data-local-label="${localLabel}" data-show="${isPassword && say('form.show')}" data-hide="${isPassword && say('form.hide')}"
 data-strength-url="${strengthUrl}" data-strength="${strengthId}">
${strengthId && html`<p class="strength" id="${strengthId}" role="status"></p>`}`;
  const optional = html` <span class="optional">${say('form.optional')}</span>`;
  return labelled(field, input, isOptional ? optional : undefined);
}

/** A field of several lines, each of which is a value. `isRequired` is false if other fields decide whether it may be empty. */
export function linesField(
  { say }: Reader,
  field: LabelledField & Pick<LineField, 'value' | 'isOptional'> & { readonly isRequired?: boolean },
): Html {
  const { name, value, isOptional = false, isRequired = !isOptional, fault } = field;
  const input = (describedBy: string | undefined) =>
    html`<textarea id="${idOf(field)}" name="${name}" rows="3" required="${isRequired}" aria-invalid="${fault !== undefined && 'true'}" aria-describedby="${describedBy}">${value}</textarea>`;
  return labelled(
    field,
    input,
    isOptional ? html` <span class="optional">${say('form.optional')}</span>` : undefined,
  );
}

/** A field that offers choices. */
export function choiceField(
  field: LabelledField & {
    readonly choices: readonly { readonly value: string; readonly text: string }[];
    readonly value?: string | undefined;
  },
): Html {
  const { name, fault, choices, value: chosen } = field;
  const options = choices.map(
    ({ value, text }) => html`<option value="${value}" selected="${value === chosen}">${text}</option>`,
  );
  const select = (describedBy: string | undefined) =>
    html`<select id="${idOf(field)}" name="${name}" aria-invalid="${fault !== undefined && 'true'}" aria-describedby="${describedBy}">${options}</select>`;
  return labelled(field, select);
}

/** A box to tick. Its form has the member with the value `true`, or has it not. */
export function tickField(field: LabelledField & { readonly isTicked?: boolean }): Html {
  const id = idOf(field);
  const { name, label, hint, isTicked } = field;
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  return html`<div class="tick"><input id="${id}" name="${name}" type="checkbox" value="true" checked="${isTicked}" aria-describedby="${hintId}">
<label for="${id}">${label}</label>${hintId && html`<p class="hint" id="${hintId}">${hint}</p>`}</div>`;
}

/** A form that changes something. */
export interface ChangeForm {
  /** The path to which browsers send it. */
  readonly action: string;
  readonly fields?: HtmlValue;
  /** Whether its page shows it filled again if the sign-in ends before it is sent. Its operation has `keepsFields`. */
  readonly isKept?: boolean;
  /** Members that the reader does not enter. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** The text of the button. */
  readonly submit: string;
  /** What the button does, for screen readers, if its text does not name the object. It holds that text. */
  readonly submitNamed?: string;
  /** Whether it removes or ends something. */
  readonly isDangerous?: boolean;
  /** Whether the button stands in a row of a table or beside others. */
  readonly isCompact?: boolean;
  /** Whether other buttons matter more. */
  readonly isQuiet?: boolean;
  /** The address of the page for a reader who cancels. */
  readonly cancel?: string;
}

const hiddenFields = (hidden: Readonly<Record<string, string>>) =>
  Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);

/** A form that changes something: a POST with the CSRF token of the page. */
export function changeForm(reader: Reader, form: ChangeForm): Html {
  const {
    action,
    fields,
    isKept,
    hidden = {},
    submit,
    submitNamed,
    isDangerous,
    isCompact,
    isQuiet,
    cancel,
  } = form;
  const kinds = [isDangerous && 'danger', isCompact && 'compact', isQuiet && 'quiet'];
  const kind = kinds.filter(Boolean).join(' ') || undefined;
  const formOwner = isKept ? reader.sealOwner?.() : undefined;
  const all = { ...hidden, ...(formOwner !== undefined && { formOwner }) };
  return html`${isKept && reader.keptNotice}<form method="post" action="${action}">${tokenField(reader)}${hiddenFields(all)}${fields}
<div class="actions"><button class="${kind}" aria-label="${submitNamed}">${submit}</button>
${cancel && html`<a class="button quiet" href="${cancel}">${reader.say('form.cancel')}</a>`}</div></form>`;
}

/**
 * A form that filters a list: a GET, so that the filters stand in the address. With htmx, which the page then has to load,
 * the element of the id `results` follows each change without a button.
 */
export function filterForm(
  { say }: Reader,
  {
    action,
    fields,
    results,
    submit = say('form.filter'),
  }: {
    readonly action: string;
    readonly fields: HtmlValue;
    readonly results: string;
    readonly submit?: string;
  },
): Html {
  const target = `#${results}`;
  return html`<form class="filters" method="get" action="${action}" role="search" hx-get="${action}" hx-target="${target}"
 hx-select="${target}" hx-swap="outerHTML" hx-replace-url="true" hx-trigger="input changed delay:250ms, change, submit">${fields}
<div class="actions"><button class="quiet">${submit}</button></div></form>`;
}

/** Why a form was refused, above it. A fault of a field leads to its input. */
export function faultSummary(
  faults: readonly { readonly field?: string; readonly sentence: string }[],
): Html {
  const items = faults.map(({ field, sentence }) =>
    field === undefined
      ? html`<li>${sentence}</li>`
      : html`<li><a href="#${idOf({ name: field })}">${sentence}</a></li>`,
  );
  return html`<div class="notice bad" role="alert" tabindex="-1" data-focus="true"><ul>${items}</ul></div>`;
}

/** A question before a change. */
export interface Confirmation extends ChangeForm {
  /** Names the object of the change and says what follows. */
  readonly sentence: HtmlValue;
  /** Why the last answer was refused. */
  readonly fault?: string | undefined;
  readonly cancel: string;
}

/** Asks before a change, below the heading of the page. */
export function confirmation(reader: Reader, { sentence, fault, ...form }: Confirmation): Html {
  const summary = fault !== undefined && faultSummary([{ sentence: fault }]);
  return html`<div class="card narrow">${summary}<p>${sentence}</p>${changeForm(reader, form)}</div>`;
}
