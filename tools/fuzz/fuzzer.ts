import type fc from 'fast-check';

/** One property that holds for every input. */
export interface Fuzzer {
  readonly name: string;
  /** How much of the time it takes, beside the others. */
  readonly weight: number;
  readonly property: fc.IRawProperty<unknown>;
}
