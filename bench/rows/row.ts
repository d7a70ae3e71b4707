import type { Aim } from '../report/aim.ts';
import type { Round } from '../report/rounds.ts';

/** The parameters of a measurement. */
export interface Bench {
  /** The number of rounds; each measures ours and the baseline. */
  readonly rounds: number;
  /** The length of one measurement. */
  readonly seconds: number;
  /** Live tickets in the store. */
  readonly tickets: number;
  /** Live tickets in the store of the row `many`. */
  readonly many: number;
  /** A folder for the files of this row; removed afterwards. */
  readonly folder: string;
  /** Makes a data folder with {@link tickets}, or with another number of tickets, and their users. */
  dataFolder(tickets?: number): Promise<string>;
  /** Prints the progress. */
  say(progress: string): void;
}

/** One subject of the table. It leaves no process behind. */
export interface Row {
  /** Its name on the command line. */
  readonly name: string;
  measure(bench: Bench): Promise<readonly Line[]>;
}

/** A line of the table. */
export interface Line {
  readonly name: string;
  readonly unit: string;
  readonly rounds: readonly Round[];
  readonly aim?: Aim;
  /** Facts that a reader needs to judge the figures. */
  readonly notes: readonly string[];
}
