import { parseArgs } from 'node:util';

/** What is asked for on the command line. */
export interface Options {
  /** Names of rows, in the order given. */
  readonly rows: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
  readonly tickets: number;
  readonly many: number;
  /** Whether the table is written into `docs/performance.md` as well. */
  readonly report: boolean;
  /** Whether the services of others are measured in place of the rows. */
  readonly peers: boolean;
  /** A file for the figures. */
  readonly json: string | undefined;
}

/** Thrown with a sentence for whoever typed the command. */
export class WrongUsage extends Error {
  override name = 'WrongUsage';
}

/** Rounds of a figure that is published, at least. */
const ROUNDS = 7;

/** The whole number that an option says. Throws {@link WrongUsage} where it is none, or less than `least`. */
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

/** Reads the command line; without names, every row is asked for. Throws {@link WrongUsage}. */
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
