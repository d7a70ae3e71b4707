import type { Measured } from '../load/load.ts';
import { median, ratios } from '../report/rounds.ts';
import type { Finding } from './measure.ts';
import { tessera } from './tessera.ts';

const HEAD = [
  'service',
  'validations/s',
  'p50 ms',
  'p99 ms',
  'CPU µs each',
  'logins/s',
  'p50 ms',
  'p99 ms',
  'CPU ms each',
  'validations: Tessera is faster by',
  'logins: Tessera is faster by',
];

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

const shown = (value: number | undefined) => {
  if (value === undefined) return '–';
  return value < 100 ? value.toFixed(value < 10 ? 2 : 1) : whole.format(value);
};

function middle(rounds: readonly Measured[], of: (one: Measured) => number | undefined): number | undefined {
  const known = rounds.map(of).filter((value) => value !== undefined);
  return known.length === 0 ? undefined : median(known);
}

/** Rate, p50, p99 and processor time for each request. A `unit` of 1e6 gives the time in microseconds. */
function figures(rounds: readonly Measured[], unit: number): string[] {
  const each = ({ serverShare, perSecond }: Measured) => serverShare && (serverShare / perSecond) * unit;
  return [
    middle(rounds, ({ perSecond }) => perSecond),
    middle(rounds, ({ p50 }) => p50),
    middle(rounds, ({ p99 }) => p99),
    middle(rounds, each),
  ].map(shown);
}

/** The median of the ratios of rates with its range, and whether it meets the aim. */
function faster(ours: readonly Measured[], theirs: readonly Measured[], aim: number | undefined): string {
  if (ours.length === 0 || theirs.length === 0) return '–';
  const rounds = ours.map(({ perSecond }, round) => {
    return { ours: perSecond, baseline: (theirs[round] as Measured).perSecond };
  });
  const { median: middle, least, most } = ratios(rounds);
  const range = `${shown(middle)} × (${shown(least)}–${shown(most)})`;
  if (aim === undefined) return range;
  return `${range}, aim ${aim}: ${middle >= aim ? 'met' : 'NOT MET'}`;
}

/** The cells of the table, its heading first. Compares each service with Tessera where Tessera was measured. */
export function cells(findings: readonly Finding[]): string[][] {
  const tesseras = findings.find(({ peer }) => peer === tessera);
  const compared = ({ peer, validations, logins }: Finding) => {
    if (tesseras === undefined || peer === tessera) return ['–', '–'];
    const { aims } = peer;
    return [
      faster(tesseras.validations, validations, aims.validations),
      faster(tesseras.logins, logins, aims.logins),
    ];
  };
  const rows = findings.map((finding) => [
    finding.peer.name,
    ...figures(finding.validations, 1e6),
    ...figures(finding.logins, 1e3),
    ...compared(finding),
  ]);
  return [HEAD, ...rows];
}

/** What a reader must know of each service to judge its figures. */
export function remarks(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ peer }) => peer.notes.map((note) => `${peer.name}: ${note}`));
}
