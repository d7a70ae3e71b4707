import type { Options } from '../options.ts';
import type { Line } from '../rows/row.ts';
import { isMet, shownAim } from './aim.ts';
import type { Machine } from './machine.ts';
import { measuredOn, type Page } from './page.ts';
import { median, ratios } from './rounds.ts';

/** A row that could not be measured: the table says so. */
export interface Unmeasured {
  readonly name: string;
  readonly why: string;
}

/** The result of one run. */
export interface Findings {
  readonly at: Date;
  readonly machine: Machine;
  readonly load: string;
  readonly options: Options;
  readonly lines: readonly (Line | Unmeasured)[];
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const precise = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

const shown = (value: number, unit: string) => `${(value < 100 ? precise : whole).format(value)} ${unit}`;

/** Whether the aim is met; undefined for a line without an aim. */
function met({ rounds, aim }: Line): boolean | undefined {
  return aim && isMet(aim, rounds);
}

function cells(line: Line): string[] {
  const ratio = ratios(line.rounds);
  const reached = met(line);
  return [
    line.name,
    shown(median(line.rounds.map(({ ours }) => ours)), line.unit),
    shown(median(line.rounds.map(({ baseline }) => baseline)), line.unit),
    `${precise.format(ratio.median)} (${precise.format(ratio.least)}–${precise.format(ratio.most)})`,
    line.aim === undefined ? '–' : shownAim(line.aim, line.unit, line.rounds),
    reached === undefined ? '–' : reached ? 'met' : 'NOT MET',
  ];
}

const HEAD = ['what', 'ours', 'baseline', 'ratio (least–most)', 'aim', 'met'];

/** The table of the rows. */
export function page({ at, machine, load, options, lines }: Findings): Page {
  const measured = lines.filter((line) => 'rounds' in line);
  return {
    above: [
      measuredOn(at, machine),
      `${options.rounds} rounds of ${options.seconds} s, ours and the baseline in turn; ${whole.format(options.tickets)} tickets; load from ${load}`,
      'Medians of the rounds; ratio = ours / baseline of the same round.',
    ],
    cells: [HEAD, ...measured.map(cells)],
    below: lines.filter((line) => 'why' in line).map(({ name, why }) => `${name}: NOT MEASURED: ${why}`),
    notes: measured.flatMap(({ name, notes }) => notes.map((note) => `${name}: ${note}`)),
  };
}

/** The result of a run as JSON, with every round. */
export function figures({ lines, ...about }: Findings): string {
  const all = lines.map((line) => {
    if ('why' in line) return line;
    return { ...line, ratio: ratios(line.rounds), met: met(line) };
  });
  return `${JSON.stringify({ ...about, lines: all }, null, 2)}\n`;
}
