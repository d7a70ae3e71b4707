import { type Html, html } from '../../../../faces/pages/html.ts';
import { type Reader, shownTime } from '../../../../faces/pages/layout.ts';
import { table } from '../../../../faces/pages/parts/list.ts';
import { type PlotBar, plot } from '../../../../faces/pages/parts/plot.ts';

/** Sign-ins and refused ones, in spans of time one behind the other. */
export interface SignInCounts {
  readonly step: 'hour' | 'day';
  /** The begins of the spans, in epoch milliseconds. */
  readonly times: readonly number[];
  readonly signIns: readonly number[];
  readonly refusals: readonly number[];
}

/** The label below each sixth bar of a day. */
const LABELLED_HOURS = 6;

const sum = (counts: readonly number[]) => counts.reduce((all, each) => all + each, 0);

/** Numbers of the whole time, such as those of the last day. */
export const totalsOf = ({ signIns, refusals }: SignInCounts) => ({
  signIns: sum(signIns),
  refused: sum(refusals),
});

/** How long ago a span was, such as "3 hours ago". No clock is meant, so it needs no time zone. */
function agoIn({ language }: Reader, step: SignInCounts['step'], style: 'long' | 'narrow') {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style });
  return (spans: number) => format.format(-spans, step);
}

/** The day of a span, as the service counts days. */
const dayIn = ({ language }: Reader, form: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC' });

function barsOf(reader: Reader, counts: SignInCounts): PlotBar[] {
  const { step, times } = counts;
  const [ago, shortAgo] = [agoIn(reader, step, 'long'), agoIn(reader, step, 'narrow')];
  const [day, shortDay] = [dayIn(reader, { dateStyle: 'full' }), dayIn(reader, { weekday: 'short' })];
  return times.map((at, index) => {
    const spans = times.length - 1 - index;
    const name = step === 'hour' ? ago(spans) : day.format(at);
    const [good, refused] = [counts.signIns[index] ?? 0, counts.refusals[index] ?? 0];
    const isLabelled = spans % LABELLED_HOURS === 0;
    const hour = isLabelled ? (spans === 0 ? reader.say('console.start.now') : shortAgo(spans)) : undefined;
    return {
      said: reader.say('console.start.bar', { span: name, signIns: good, refused }),
      label: step === 'hour' ? hour : shortDay.format(at),
      good,
      refused,
    };
  });
}

interface CountRow {
  readonly at: number;
  readonly signIns: number;
  readonly refused: number;
}

function numbers(reader: Reader, counts: SignInCounts, caption: string): Html {
  const { say } = reader;
  const day = dayIn(reader, { dateStyle: 'medium' });
  const rows = counts.times.map((at, index) => ({
    at,
    signIns: counts.signIns[index] ?? 0,
    refused: counts.refusals[index] ?? 0,
  }));
  const content = table<CountRow>({
    caption,
    columns: [
      {
        heading: say(counts.step === 'hour' ? 'console.start.hour' : 'console.start.day'),
        cell: ({ at }) => (counts.step === 'hour' ? shownTime(at, reader) : day.format(at)),
      },
      { heading: say('console.start.signIns'), cell: ({ signIns }) => signIns, isNumber: true },
      { heading: say('console.start.refused'), cell: ({ refused }) => refused, isNumber: true },
    ],
    rows: rows.toReversed(),
    whenEmpty: '',
  });
  return html`<details><summary>${say('console.start.numbers')}</summary>${content}</details>`;
}

/** A plot of sign-ins with its numbers behind it, under a heading. */
export function signInPlot(reader: Reader, counts: SignInCounts): Html {
  const { say, language } = reader;
  const isDay = counts.step === 'hour';
  const title = say(isDay ? 'console.start.lastDay' : 'console.start.lastWeek');
  const said = say('console.start.bar', { span: title, ...totalsOf(counts) });
  return html`<section class="card"><h2>${title}</h2>
${plot({ language, said, bars: barsOf(reader, counts) })}
<p class="legend"><span><span class="key"></span>${say('console.start.signIns')}</span>
<span><span class="key refused"></span>${say('console.start.refused')}</span>
${!isDay && html`<span>${say('console.start.daysInUtc')}</span>`}</p>
${numbers(reader, counts, title)}</section>`;
}
