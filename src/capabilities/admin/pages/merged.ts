import {
  changedSince,
  isAnother,
  type ShownState,
  type StateTexts,
  stateText,
} from '../../../faces/pages/console/meanwhile.ts';
import type { Html } from '../../../faces/pages/html.ts';
import type { Reader } from '../../../faces/pages/layout.ts';
import { faultSummary } from '../../../faces/pages/parts/form.ts';

/** The fields of a form as it was sent. A field that was emptied is missing. */
type SentFields = Readonly<Record<string, string | undefined>>;

/** A form after a change by somebody else since it was shown. */
export interface MergedForm {
  /** What the reader wrote and, where the reader changed nothing, what stands now. */
  readonly values: Readonly<Record<string, string>>;
  /** Of each field that differs: both values, in a sentence. */
  readonly faults: Readonly<Record<string, string>>;
  /** Whether the name is another object's now. */
  readonly isAnother: boolean;
}

/** The values that a form wants. A browser leaves out a field that was emptied. */
export function sentValues(sent: SentFields, was: ShownState): Readonly<Record<string, string>> {
  const names = [...new Set([...Object.keys(sent), ...Object.keys(was)])].filter((name) => name !== 'id');
  return Object.fromEntries(names.map((name) => [name, sent[name]?.trim() ?? '']));
}

/**
 * Merges a form with what stands now, if somebody else has changed a value since it was shown to one that the form does not
 * have too; otherwise undefined. Nothing that the reader wrote is lost.
 */
export function mergedForm(
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
export function mergedSummary({ say }: Reader, name: string, { faults, isAnother }: MergedForm): Html {
  return faultSummary([
    { sentence: say('console.meanwhile.again', { name }) },
    ...(isAnother ? [{ sentence: say('console.meanwhile.another', { name }) }] : []),
    ...Object.entries(faults).map(([field, sentence]) => ({ field, sentence })),
  ]);
}
