import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { processorSeconds } from '../servers/processes.ts';
import { inCheckout } from '../servers/servers.ts';

/** What a command took. */
export interface Took {
  readonly seconds: number;
  /** The CPU seconds of all its threads, which other work on the machine does not make more. */
  readonly cpu: number;
  /** The most resident memory in MiB. */
  readonly peakMiB: number;
  readonly code: number | null;
  /** What it wrote to standard error. */
  readonly said: string;
}

/** The time between two looks at the memory, in milliseconds. */
const EVERY = 20;

/** The most resident memory of a process so far in MiB; undefined once it is gone. */
export function peakMiB(pid: number): number | undefined {
  try {
    const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return kib === undefined ? undefined : Number(kib) / 1_024;
  } catch {
    return undefined;
  }
}

/** Runs `tessera` with these words, with its output in a file. */
export async function tessera(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  output = devNull,
): Promise<Took> {
  const file = openSync(output, 'w');
  const began = performance.now();
  const child = spawn(inCheckout('bin/tessera'), words, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', file, 'pipe'],
  });
  closeSync(file);
  let [peak, cpu, said] = [0, 0, ''];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const timer = setInterval(() => {
    peak = peakMiB(child.pid as number) ?? peak;
    cpu = processorSeconds(child.pid as number) ?? cpu;
  }, EVERY);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(timer);
  return { seconds: (performance.now() - began) / 1_000, cpu, peakMiB: peak, code, said: said.trim() };
}
