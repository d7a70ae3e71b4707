import type { Machine } from './machine.ts';
import type { Options } from './options.ts';
import { median, ratios } from './rounds.ts';
import type { Line } from './row.ts';

/** A row that could not be measured, which is said and not left out. */
export interface Unmeasured {
  readonly name: string;
  readonly why: string;
}

/** All that one run found. */
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

/** Whether the aim is met; nothing where there is none. */
function met({ rounds, aim }: Line): boolean | undefined {
  return aim === undefined ? undefined : ratios(rounds).median >= aim;
}

function cells(line: Line): string[] {
  const ratio = ratios(line.rounds);
  const reached = met(line);
  return [
    line.name,
    shown(median(line.rounds.map(({ ours }) => ours)), line.unit),
    shown(median(line.rounds.map(({ baseline }) => baseline)), line.unit),
    `${precise.format(ratio.median)} (${precise.format(ratio.least)}–${precise.format(ratio.most)})`,
    line.aim === undefined ? '–' : `≥ ${precise.format(line.aim)}`,
    reached === undefined ? '–' : reached ? 'met' : 'NOT MET',
  ];
}

const HEAD = ['what', 'ours', 'baseline', 'ratio (least–most)', 'aim', 'met'];

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** The table, with the machine above it and the notes below. */
export function table({ at, machine, load, options, lines }: Findings): string {
  const { cores, processor, memoryGiB, system, node, busy } = machine;
  const measured = lines.filter((line) => 'rounds' in line);
  return [
    `${at.toISOString()}, ${cores} cores of ${processor}, ${memoryGiB} GiB, ${system}, Node ${node}; load average before: ${busy}${busy > cores / 2 ? ' (BUSY with other work)' : ''}`,
    `${options.rounds} rounds of ${options.seconds} s, ours and the baseline in turn; ${whole.format(options.tickets)} tickets; load from ${load}`,
    'Medians of the rounds; ratio = ours / baseline of the same round.',
    '',
    ...aligned([HEAD, ...measured.map(cells)]),
    ...lines.filter((line) => 'why' in line).map(({ name, why }) => `${name}: NOT MEASURED: ${why}`),
    '',
    ...measured.flatMap(({ name, notes }) => notes.map((note) => `${name}: ${note}`)),
    '',
  ].join('\n');
}

/** The same figures for programs, with every round. */
export function figures({ lines, ...about }: Findings): string {
  const all = lines.map((line) => {
    if ('why' in line) return line;
    return { ...line, ratio: ratios(line.rounds), met: met(line) };
  });
  return `${JSON.stringify({ ...about, lines: all }, null, 2)}\n`;
}
