/** A reason why a password is easy to guess. */
export type GuessablePart = 'words' | 'repetitions' | 'sequences' | 'keys' | 'dates';

/** What a directory says about a new password; `unanswered`: nothing, so that it may have either password. */
export type PolicyFault =
  | 'short'
  | 'inHistory'
  | 'quality'
  | 'young'
  | 'notAllowed'
  | 'refused'
  | 'unanswered';

/** Why a new password is refused. */
export type PasswordFault = {
  /** In English, for programs and terminals: what is wrong, and what to do. */
  readonly sentence: string;
} & (
  | { readonly code: 'short'; readonly length: number; readonly least: number }
  | { readonly code: 'guessable'; readonly madeOf: readonly GuessablePart[] }
  | { readonly code: 'policy'; readonly why: PolicyFault }
  | {
      /** `named`: little more than the name of the user or of this service; `unchecked`: breaches cannot be looked up now. */
      readonly code: 'long' | 'common' | 'named' | 'breached' | 'unchecked' | 'same';
    }
);
