import type { Change } from '../../core/domain/outcome.ts';
import type { Refusal } from '../../core/domain/refusal.ts';
import type { WriteUnit } from '../../core/storage/store.ts';

/** What a document can name. */
export type StateKind = 'group' | 'user' | 'client' | 'application' | 'apiKey' | 'gateRule';

/** A value that is shown. Undefined where there is none. */
export type ShownValue = string | number | boolean | readonly string[] | undefined;

/** One difference between the document and what is stored, as it is shown. It has no secret and no hash. */
export interface StateChange {
  readonly change: 'add' | 'change' | 'remove';
  readonly kind: StateKind;
  readonly name: string;
  /** The member that changes. */
  readonly field?: string;
  readonly from?: ShownValue;
  readonly to?: ShownValue;
  /** What is added has these members. */
  readonly members?: Readonly<Record<string, ShownValue>>;
}

/** A part of the work that brings the store into the state of the document. */
export interface PlanStep {
  /** Empty if another step shows the change. */
  readonly changes: readonly StateChange[];
  /** The JSON pointer of the entry in the document, for faults. */
  readonly pointer: string;
  /** Makes the change by the rules of `people/`. May run several times, each time in a unit where nothing of it is done. */
  perform(unit: WriteUnit, now: number): Promise<Change | Refusal>;
}

/** Something that is stored and that the document does not name. */
export interface Unnamed {
  readonly kind: StateKind;
  readonly name: string;
  readonly perform: PlanStep['perform'];
}

/** The steps that remove what the document does not name. */
export function removals(unnamed: readonly Unnamed[]): PlanStep[] {
  return unnamed.map(({ kind, name, perform }) => ({
    changes: [{ change: 'remove', kind, name }],
    pointer: '',
    perform,
  }));
}

/** How many of a kind are stored, and how many of these are to be removed. */
export interface Pruned {
  readonly kind: StateKind;
  readonly removed: number;
  readonly stored: number;
}

/** Whether so many are removed that the document is probably not whole: more than half of them, and more than one. */
export function isMany({ removed, stored }: Pruned): boolean {
  return removed > 1 && 2 * removed > stored;
}
