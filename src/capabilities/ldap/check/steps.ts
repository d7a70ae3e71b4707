import { ServerFault } from '../connection.ts';
import { DirectoryUnavailable } from '../options.ts';

/** What a step of a check found. */
export interface CheckStep {
  readonly name: string;
  readonly ok: boolean;
  /** One sentence or a few; if something is wrong, also how to mend it. */
  readonly found: string;
}

/** Something is wrong, and the walk can go on. */
export interface Wrong {
  readonly wrong: string;
}

/** Something is wrong, and no later step can work. The message says how to mend it. */
export class StepFault extends Error {
  override name = 'StepFault';
}

/** A step: its name, and the function that does it. */
export type StepToRun = readonly [name: string, run: () => Promise<string | Wrong>];

/** Whether the error is a finding about the directory, and not a fault of this program. */
const isFault = (error: unknown) =>
  error instanceof StepFault || error instanceof ServerFault || error instanceof DirectoryUnavailable;

/** Does the steps in their order. The first step that throws such an error is the last. Returns whether none did. */
export async function* runSteps(steps: readonly StepToRun[]): AsyncGenerator<CheckStep, boolean> {
  for (const [name, run] of steps) {
    try {
      const found = await run();
      yield typeof found === 'string' ? { name, ok: true, found } : { name, ok: false, found: found.wrong };
    } catch (error) {
      if (!isFault(error)) throw error;
      yield { name, ok: false, found: (error as Error).message };
      return false;
    }
  }
  return true;
}
