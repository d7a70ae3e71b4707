import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { Judgement, JudgementRequest } from './password-judge.ts';
import { faultOfStrength } from './password-strength.ts';

/** The thread of `password-judge.ts`: judges one password after the other. */

/** How much lower its priority is than that of the event loop (`nice`). */
const LOWER_BY = 10;

function lowerPriority(): void {
  try {
    setPriority(Math.min(getPriority() + LOWER_BY, 19));
  } catch {
    // A sandbox may forbid changes of priorities. Only speed depends on it.
  }
}

/** Where an error was thrown. Its message may hold a part of the password. */
const placeOf = ({ name, stack = '' }: Error) => [name, ...(stack.match(/^ {4}at .*$/gm) ?? [])].join('\n');

async function judged({ number, password, name }: JudgementRequest): Promise<Judgement> {
  try {
    return { number, fault: await faultOfStrength(password, name) };
  } catch (error) {
    return { number, failed: placeOf(error as Error) };
  }
}

// Only Linux lowers the priority of this thread alone. Elsewhere that is the priority of the whole process.
if (process.platform === 'linux') lowerPriority();
parentPort?.on('message', async (request: JudgementRequest) =>
  parentPort?.postMessage(await judged(request)),
);
