import { setTimeout as pause } from 'node:timers/promises';
import { processorShare, start } from '../servers/processes.ts';
import { inCheckout } from '../servers/servers.ts';
import type { Measured } from './load.ts';

/** Runs a program of `bench/bare/`, which prints `measuring` at its start and `a second: NUMBER` at its end. */
export async function bareRate(file: string, words: readonly string[], seconds: number): Promise<Measured> {
  const program = [inCheckout(`bench/bare/${file}`), ...words, String(seconds)];
  await using child = start(inCheckout('bin/node'), program);
  await child.said(/(measuring)/, 30_000);
  const share = processorShare(child.pid);
  await pause(seconds * 1_000 - 200);
  const serverShare = share();
  const perSecond = Number(await child.said(/a second: (\S+)\n/, 30_000));
  return { perSecond, serverShare, loadShare: undefined };
}
