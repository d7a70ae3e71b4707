import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/** How one test ended. A process that runs tests sends one to its parent for each test. */
export interface TestOutcome {
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly name: string;
  /** The file and the line of the test, from the root of the project. */
  readonly place: string;
  readonly milliseconds: number;
  /** Whether it is a part of another test, whose time has its own in it. */
  readonly isPart: boolean;
  /** CPU time of this process during the test, in milliseconds. */
  readonly cpu: number;
  /** Why it failed or was skipped; empty otherwise. */
  readonly reason: string;
}

/** What it sends after the last test: a process that ends without it was cut short. */
export const FINISHED = 'finished';

type Ended = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>;

function reasonOf({ type, data }: Ended): string {
  if (type === 'test:fail') return inspect(data.details.error.cause ?? data.details.error);
  return typeof data.skip === 'string' ? data.skip : '';
}

function outcomeOf({ type, data }: Ended): TestOutcome['outcome'] {
  if (type === 'test:fail') return 'failed';
  return data.skip === undefined ? 'passed' : 'skipped';
}

/** A reporter of `node --test` that writes nothing: it sends a {@link TestOutcome} for each test to the parent process. */
export default async function* sendOutcomes(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  // The runner of Node waits until nothing is open any more.
  process.channel?.unref();
  let cpu = process.cpuUsage();
  for await (const event of events) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const { name, file = '', line, details, nesting } = event.data;
    if (details.type === 'suite') continue;
    const { user, system } = process.cpuUsage(cpu);
    cpu = process.cpuUsage();
    const outcome: TestOutcome = {
      outcome: outcomeOf(event),
      name,
      place: `${relative(process.cwd(), file)}:${line}`,
      milliseconds: details.duration_ms,
      isPart: nesting > 0,
      cpu: (user + system) / 1_000,
      reason: reasonOf(event),
    };
    process.send?.(outcome);
  }
  process.send?.(FINISHED);
  yield '';
}
