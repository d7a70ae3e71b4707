/** An identity provider, or a server of the directory, as operators see it. */
export interface SignInSource {
  /** Its id, as users have it in their `provider`. */
  readonly id: string;
  readonly name: string;
  readonly address: string;
}

/** A part of a check: what it is about, and its steps. */
export interface CheckedPart {
  readonly about: string;
  readonly steps: readonly SourceStep[];
}

/** A step of a check. */
export interface SourceStep {
  /** What it looks at, where the sentence does not say so. */
  readonly name?: string;
  readonly ok: boolean;
  /** A sentence; if something is wrong, also how to mend it. */
  readonly found: string;
}

/** The sources of sign-ins that are set, of one kind. */
export interface SignInSources {
  list(): readonly SignInSource[];
  /** Asks each of them, or the one of this id, whether sign-ins can work, without a person: slow work, outside of a transaction. */
  check(only?: string): Promise<readonly CheckedPart[]>;
}
