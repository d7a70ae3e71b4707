/** What is true of every answer of the store, if its engine and its caches have no fault. To check one costs a comparison. */
const INVARIANTS = {
  found_ticket: 'the store returned another ticket than the one that it was asked for',
  ticket_user: 'the store returned a ticket with another user than its own',
  login_user: 'the store returned another user than the one whose credential was verified',
  issued_ticket: 'the store keeps a new ticket under a digest that is not its own',
} as const;

const violations = new Map<string, number>(Object.keys(INVARIANTS).map((invariant) => [invariant, 0]));

/** How often this process saw each invariant violated. */
export function invariantViolations(): ReadonlyMap<string, number> {
  return violations;
}

/** A fault of the service itself: what it read cannot be believed. A request that meets it is answered 500 and writes nothing. */
export class InvariantViolated extends Error {
  override name = 'InvariantViolated';

  /** Counts the violation. The message names the invariant and no value. */
  constructor(invariant: keyof typeof INVARIANTS) {
    super(`${INVARIANTS[invariant]} (${invariant})`);
    violations.set(invariant, (violations.get(invariant) ?? 0) + 1);
  }
}
