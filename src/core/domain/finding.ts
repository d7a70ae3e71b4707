/**
 * Something about how the service or a server behind it is set up that an operator should mend. Both sentences are
 * complete, in plain English, and hold no secret.
 */
export interface Finding {
  /** `fault`: a promise does not hold. `warning`: one would not survive an accident, or it cannot be looked at. */
  readonly level: 'warning' | 'fault';
  /** What is wrong, and what follows from it. */
  readonly what: string;
  /** How to mend it. */
  readonly mend: string;
}
