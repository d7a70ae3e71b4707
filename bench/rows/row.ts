import type { Aim } from '../report/aim.ts';
import type { Round } from '../report/rounds.ts';

/** What the rows of the table are measured with. */
export interface Bench {
  /** How often ours and the baseline are measured, one after the other. */
  readonly rounds: number;
  /** Length of one measurement. */
  readonly seconds: number;
  /** Live tickets in the store. */
  readonly tickets: number;
  /** Live tickets of the row that is about very many. */
  readonly many: number;
  /** A folder for files of this row, removed after it. */
  readonly folder: string;
  /** A data folder of the caller's own, with all users and tickets in it, or with so many. */
  dataFolder(tickets?: number): Promise<string>;
  /** Tells whoever waits what is going on. */
  say(progress: string): void;
}

/** One subject. It knows no other row, and leaves no process behind. */
export interface Row {
  /** The word by which it is chosen on the command line. */
  readonly name: string;
  measure(bench: Bench): Promise<readonly Line[]>;
}

/** A line of the table. */
export interface Line {
  readonly name: string;
  readonly unit: string;
  readonly rounds: readonly Round[];
  readonly aim?: Aim;
  /** What a reader has to know to judge the figures. */
  readonly notes: readonly string[];
}
