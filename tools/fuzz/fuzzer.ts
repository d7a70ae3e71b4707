import type fc from 'fast-check';

/** One property that holds for every input. */
export interface Fuzzer {
  readonly name: string;
  /** Its share of the time. */
  readonly weight: number;
  readonly property: fc.IRawProperty<unknown>;
}
