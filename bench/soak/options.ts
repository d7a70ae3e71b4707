import { parseArgs } from 'node:util';
import { WrongUsage } from '../options.ts';

/** What is asked of a soak. */
export interface SoakOptions {
  /** How long the load lasts. */
  readonly minutes: number;
  /** Requests a second. */
  readonly rate: number;
  /** Whether figures and plot are written into `docs/` as well. */
  readonly report: boolean;
  /** A file for the figures, every sample among them. */
  readonly json: string | undefined;
}

/** Reads the command line. Throws {@link WrongUsage}. */
export function readSoakOptions(words: readonly string[]): SoakOptions {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        minutes: { type: 'string', default: '30' },
        rate: { type: 'string', default: '600' },
        report: { type: 'boolean', default: false },
        json: { type: 'string' },
      },
    });
    const [minutes, rate] = [Number(values.minutes), Number(values.rate)];
    if (!(minutes >= 1 && minutes <= 24 * 60))
      throw new WrongUsage(`--minutes takes a number from 1 to 1440, and "${values.minutes}" is none`);
    if (!(Number.isInteger(rate) && rate >= 1 && rate <= 20_000))
      throw new WrongUsage(`--rate takes a whole number from 1 to 20000, and "${values.rate}" is none`);
    return { minutes, rate, report: values.report, json: values.json };
  } catch (error) {
    throw error instanceof WrongUsage ? error : new WrongUsage((error as Error).message);
  }
}
