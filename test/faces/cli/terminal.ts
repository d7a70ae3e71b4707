import { spawn } from 'node:child_process';
import type { TestContext } from 'node:test';
import { afterwards } from '../../service/afterwards.ts';
import { PATIENCE } from '../../service/patience.ts';
import { environment, type Surroundings } from './command.ts';

/** A program on a terminal. */
export interface OnTerminal {
  /** The output so far. */
  readonly screen: () => string;
  /** Waits until the output matches, and returns the match. If the program ends first, throws with the screen. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  type(keys: string): void;
  readonly ended: Promise<number | null>;
}

export const CTRL_C = '\x03';
export const CTRL_D = '\x04';

/** Runs a program on its own terminal. After the test it is interrupted if it still runs. */
export function onTerminal(t: TestContext, line: string, { cwd, env }: Surroundings = {}): OnTerminal {
  const child = spawn('script', ['-qec', `exec ${line}`, '/dev/null'], {
    cwd,
    env: environment(env),
    timeout: PATIENCE,
  });
  const { promise: ended, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', reject).on('close', resolve);
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text.replaceAll('\r', '');
  });
  child.stdin.on('error', () => undefined);
  afterwards(t, async () => {
    child.stdin.end(CTRL_C);
    await ended;
  });
  async function until(pattern: RegExp): Promise<RegExpExecArray> {
    const over = ended.then(() => 'over');
    for (;;) {
      const found = pattern.exec(screen);
      if (found !== null) return found;
      const heard = new Promise((heardMore) => child.stdout.once('data', heardMore));
      if ((await Promise.race([over, heard])) === 'over' && !pattern.test(screen))
        throw new Error(`${line} ended with ${await ended} without ${pattern}:\n${screen}`);
    }
  }
  return { screen: () => screen, until, type: (keys) => void child.stdin.write(keys), ended };
}
