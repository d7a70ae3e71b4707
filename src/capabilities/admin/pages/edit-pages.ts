import { isRefusal, type Refusal } from '../../../core/domain/refusal.ts';
import { answer } from '../../../core/operation.ts';
import { Type } from '../../../core/schema.ts';
import { addressWith } from '../../../faces/pages/console/addresses.ts';
import {
  type Changed,
  changedAgain,
  changedThen,
  type FoundObject,
  inConsole,
  isAboutPage,
  NAMED,
  type RunOperation,
  refusedAgain,
} from '../../../faces/pages/console/change.ts';
import { consolePage } from '../../../faces/pages/console/layout.ts';
import {
  changedSince,
  hiddenState,
  isAnother,
  type ShownState,
  type StateTexts,
  stateIn,
  stateMember,
  stateText,
} from '../../../faces/pages/console/meanwhile.ts';
import { type Html, type HtmlValue, html } from '../../../faces/pages/html.ts';
import { keptForm } from '../../../faces/pages/kept-form.ts';
import type { Reader } from '../../../faces/pages/layout.ts';
import { form, type PageSent, page } from '../../../faces/pages/page.ts';
import { changeForm, faultSummary } from '../../../faces/pages/parts/form.ts';
import { sentenceOf } from '../../../faces/pages/refusal-page.ts';

/** The fields of a form as it was sent. A field that was emptied is missing. */
type SentFields = Readonly<Record<string, string | undefined>>;

/** A form after a change by somebody else since it was shown. */
interface MergedForm {
  /** What the reader wrote and, where the reader changed nothing, what stands now. */
  readonly values: Readonly<Record<string, string>>;
  /** Of each field that differs: both values, in a sentence. */
  readonly faults: Readonly<Record<string, string>>;
  /** Whether the name is another object's now. */
  readonly isAnother: boolean;
}

/** The values that a form wants. A browser leaves out a field that was emptied. */
function sentValues(sent: SentFields, was: ShownState): Readonly<Record<string, string>> {
  const names = [...new Set([...Object.keys(sent), ...Object.keys(was)])].filter((name) => name !== 'id');
  return Object.fromEntries(names.map((name) => [name, sent[name]?.trim() ?? '']));
}

/**
 * Merges a form with what stands now, if somebody else has changed a value since it was shown to one that the form does not
 * have too; otherwise undefined. Nothing that the reader wrote is lost.
 */
function mergedForm(
  reader: Reader,
  texts: StateTexts,
  { sent, was, now }: { readonly sent: SentFields; readonly was: ShownState; readonly now: ShownState },
): MergedForm | undefined {
  const { say } = reader;
  const target = sentValues(sent, was);
  const another = isAnother(was, now);
  const differing = changedSince(was, now).filter((name) => name !== 'id' && now[name] !== target[name]);
  if (differing.length === 0 && !another) return undefined;
  const textOf = (name: string, value: string | undefined) => stateText(reader, texts, name, value);
  const values = { ...target };
  const faults: Record<string, string> = {};
  for (const name of differing) {
    const nowText = textOf(name, now[name]);
    const isTouched = target[name] !== was[name];
    faults[name] = isTouched
      ? say('console.meanwhile.wrote', { wrote: textOf(name, target[name]), now: nowText })
      : say('console.meanwhile.changed', { was: textOf(name, was[name]), now: nowText });
    if (!isTouched) values[name] = now[name] ?? '';
  }
  return { values, faults, isAnother: another };
}

/** Says above a merged form that somebody else has changed something, with a link to each field. */
function mergedSummary({ say }: Reader, name: string, { faults, isAnother }: MergedForm): Html {
  return faultSummary([
    { sentence: say('console.meanwhile.again', { name }) },
    ...(isAnother ? [{ sentence: say('console.meanwhile.another', { name }) }] : []),
    ...Object.entries(faults).map(([field, sentence]) => ({ field, sentence })),
  ]);
}

/** What the pages with the form that changes an object need of it. */
interface EditedObject {
  readonly area: 'users' | 'groups';
  /** What a summary calls it, such as `the role of a user`. */
  readonly what: string;
  readonly isNarrow: boolean;
  /** The names of its fields. */
  readonly fields: readonly string[];
  readonly texts: StateTexts;
  /** The page of the object. */
  address(name: string): string;
  find(run: RunOperation, name: string): Promise<FoundObject | Refusal>;
  view(reader: Reader, values: SentFields, faults: SentFields): HtmlValue;
  change(run: RunOperation, name: string, values: SentFields): Promise<Changed | Refusal>;
}

/** The form, and why it is shown again: a refusal, or what somebody else has changed since it was shown. */
function editPage(
  reader: Reader,
  { address, view, isNarrow }: EditedObject,
  { name, state }: FoundObject,
  values: SentFields,
  { refused, merged }: { readonly refused?: Refusal; readonly merged?: MergedForm } = {},
): PageSent {
  const { say } = reader;
  const question = changeForm(reader, {
    action: `${address(name)}/edit`,
    isKept: true,
    hidden: hiddenState(state, values),
    fields: html`${view(reader, values, merged?.faults ?? {})}`,
    submit: say('console.save'),
    cancel: address(name),
  });
  const fault = refused && faultSummary([{ sentence: sentenceOf(reader, refused) }]);
  return consolePage(reader, {
    title: say('console.users.editTitle', { name }),
    current: address(name),
    body: html`<div class="card${isNarrow && ' narrow'}">${fault}${merged && mergedSummary(reader, name, merged)}${question}</div>`,
  });
}

const TEXT = Type.Optional(Type.String());

/** The form that changes an object. It loses nothing that the reader wrote, and nothing that somebody else changed meanwhile. */
export function editPages(edited: EditedObject) {
  const { area, address, find } = edited;
  const members = { ...Object.fromEntries(edited.fields.map((name) => [name, TEXT])), ...stateMember };
  const get = page({
    role: 'administrator',
    paths: [`/console/${area}/{name}/edit`],
    id: `org/service/repository/portal/console/${area}/edit.get`,
    summary: `Show the form that changes ${edited.what}.`,
    method: 'GET',
    input: { path: NAMED },
    async perform(context) {
      const { reader, run } = inConsole(context);
      const found = await find(run, context.input.path.name);
      if (isRefusal(found)) return found;
      const kept = keptForm(reader, context, `${address(found.name)}/edit`);
      return answer(editPage(kept.reader, edited, found, kept.values ?? found.state), kept.booked);
    },
  });
  const post = page({
    role: 'administrator',
    paths: [`/console/${area}/{name}/edit`],
    id: `org/service/repository/portal/console/${area}/edit.post`,
    summary: `Change ${edited.what}.`,
    method: 'POST',
    input: { path: NAMED, body: form(members) },
    keepsFields: Object.keys(members),
    async perform(context) {
      const { reader, run } = inConsole(context);
      const { name } = context.input.path;
      const found = await find(run, name);
      if (isRefusal(found)) return found;
      const { was: shown, formToken, formOwner, ...sent } = context.input.body;
      const was = stateIn({ ...(shown !== undefined && { was: shown }) });
      const merged = mergedForm(reader, edited.texts, { sent, was, now: found.state });
      if (merged !== undefined)
        return changedAgain(editPage(reader, edited, found, merged.values, { merged }));
      const values = sentValues(sent, was);
      const outcome = await edited.change(run, name, values);
      if (!isRefusal(outcome)) return changedThen(addressWith(address(name), { done: 'changed' }), outcome);
      return isAboutPage(outcome)
        ? outcome
        : refusedAgain(editPage(reader, edited, found, values, { refused: outcome }));
    },
  });
  return [get, post];
}
