import { parseArgs } from 'node:util';

/** The options of `npm run bench`. */
export interface Options {
  /** Names of rows, in the given order. */
  readonly rows: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
  readonly tickets: number;
  readonly many: number;
  /** Write the table into `docs/performance.md` as well. */
  readonly report: boolean;
  /** Measure other services and no rows. */
  readonly peers: boolean;
  /** A file for the result as JSON. */
  readonly json: string | undefined;
}

/** A mistake on the command line, with a sentence about it. */
export class WrongUsage extends Error {
  override name = 'WrongUsage';
}

/** The least number of rounds for a published figure. */
const ROUNDS = 7;

/** The value of an option as a whole number. Throws {@link WrongUsage} if it is none, or less than `least`. */
export function wholeNumber(name: string, text: string, least: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < least)
    throw new WrongUsage(`--${name} takes a whole number from ${least} on, and "${text}" is none`);
  return number;
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        rounds: { type: 'string', default: String(ROUNDS) },
        seconds: { type: 'string', default: '5' },
        tickets: { type: 'string', default: '1000000' },
        many: { type: 'string', default: '10000000' },
        json: { type: 'string' },
        report: { type: 'boolean', default: false },
        peers: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new WrongUsage((error as Error).message);
  }
}

/** Reads the command line. Without names it means every row. Throws {@link WrongUsage}. */
export function readOptions(words: readonly string[], known: readonly string[]): Options {
  const { values, positionals } = parsed(words);
  if (values.peers && positionals.length > 0)
    throw new WrongUsage(`--peers takes no rows, and "${positionals[0]}" is given`);
  if (values.report && (positionals.length > 0 || Number(values.rounds) < ROUNDS))
    throw new WrongUsage(
      `--report writes every row, of ${ROUNDS} rounds at least: leave it out to measure less`,
    );
  for (const name of positionals) {
    if (!known.includes(name))
      throw new WrongUsage(`no row is called "${name}": there are ${known.join(', ')}`);
  }
  return {
    rows: positionals.length > 0 ? positionals : known,
    rounds: wholeNumber('rounds', values.rounds, 1),
    seconds: wholeNumber('seconds', values.seconds, 1),
    tickets: wholeNumber('tickets', values.tickets, 10_000),
    many: wholeNumber('many', values.many, 10_000),
    json: values.json,
    report: values.report,
    peers: values.peers,
  };
}
