import type { Measured } from '../load/load.ts';
import { median, ratios } from '../rounds.ts';
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

/** Rate, p50, p99 and processor time a request of one kind of load, the last by `unit` of a second. */
function figures(rounds: readonly Measured[], unit: number): string[] {
  const each = ({ serverShare, perSecond }: Measured) => serverShare && (serverShare / perSecond) * unit;
  return [
    middle(rounds, ({ perSecond }) => perSecond),
    middle(rounds, ({ p50 }) => p50),
    middle(rounds, ({ p99 }) => p99),
    middle(rounds, each),
  ].map(shown);
}

/** The cells of the table, its heading first. */
export function cells(findings: readonly Finding[]): string[][] {
  const rows = findings.map(({ peer, validations, logins }) => [
    peer.name,
    ...figures(validations, 1e6),
    ...figures(logins, 1e3),
  ]);
  return [HEAD, ...rows];
}

function comparison(
  ours: readonly Measured[],
  theirs: readonly Measured[],
  aim: number | undefined,
): string | undefined {
  if (theirs.length === 0) return undefined;
  const rounds = ours.map(({ perSecond }, round) => {
    return { ours: perSecond, baseline: (theirs[round] as Measured).perSecond };
  });
  const ratio = ratios(rounds);
  const range = `${shown(ratio.median)} times (${shown(ratio.least)}–${shown(ratio.most)})`;
  if (aim === undefined) return `${range}, without an aim`;
  return `${range}, aim ${aim}: ${ratio.median >= aim ? 'met' : 'NOT MET'}`;
}

/** How ours compares with each of the others, where ours was measured, and what a reader has to know of each. */
export function remarks(findings: readonly Finding[]): string[] {
  const [ours, ...others] = findings;
  if (ours?.peer !== tessera) return findings.flatMap(({ peer }) => peer.notes);
  const compared = others.flatMap(({ peer, validations, logins }) => {
    const ratio = comparison(ours.validations, validations, peer.aims.validations);
    const ofLogins = comparison(ours.logins, logins, peer.aims.logins);
    return [
      `${ours.peer.name} against ${peer.name}, validations: ${ratio}`,
      ...(ofLogins ? [`${ours.peer.name} against ${peer.name}, logins: ${ofLogins}`] : []),
    ];
  });
  const notes = [ours, ...others].flatMap(({ peer }) => peer.notes.map((note) => `${peer.name}: ${note}`));
  return [...compared, ...notes];
}
