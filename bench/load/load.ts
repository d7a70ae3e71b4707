import { setTimeout as pause } from 'node:timers/promises';
import { type Child, processorShare } from '../servers/processes.ts';
import type { Server } from '../servers/servers.ts';
import { type Counted, type Plan, tool } from './tool.ts';

/** What one measurement found. The shares are of one core; nothing where the system does not tell. */
export interface Measured {
  readonly perSecond: number;
  readonly loadShare: number | undefined;
  readonly serverShare: number | undefined;
  /** Milliseconds that half of the answers, and 99 of 100, took at most, where that was counted. */
  readonly p50?: number;
  readonly p99?: number;
}

/** Milliseconds at either end of a load in which it is not a steady one. */
const EDGE = 200;

/** Waits until a load is under way. */
export async function isSteady(child: Child): Promise<void> {
  await child.said(/(loading)/, 30_000);
  await pause(EDGE);
}

/** Reads what a tool counted. Throws unless all was answered well: faults are quick, and would look like speed. */
export async function counted(child: Child, { seconds }: Plan): Promise<Counted> {
  const output = await child.output(seconds * 1_000 + 30_000);
  const line = /^\{.*\}$/m.exec(output)?.[0];
  if (line === undefined) throw new Error(`the load counted nothing: ${output}`);
  const count: Counted = JSON.parse(line);
  const { answered, lost, refused } = count;
  if (lost > 0 || refused > 0 || answered === 0)
    throw new Error(`${answered} answers, of them ${refused} refusals; ${lost} requests lost`);
  return count;
}

/** Keeps what was measured for the notes; gives the figure for the table. */
export function kept(all: Measured[], measured: Measured): number {
  all.push(measured);
  return measured.perSecond;
}

/** Loads a server and measures how much it answers. */
export async function load(server: Server, plan: Omit<Plan, 'url'>): Promise<Measured> {
  const whole = { ...plan, url: server.url };
  await using child = tool.start(whole);
  const count = counted(child, whole);
  count.catch(() => undefined);
  await isSteady(child);
  const shares = [processorShare(child.pid), processorShare(server.pid)] as const;
  await pause(plan.seconds * 1_000 - 2 * EDGE);
  const [loadShare, serverShare] = shares.map((share) => share());
  const { answered, seconds, p50, p99 } = await count;
  return { perSecond: answered / seconds, loadShare, serverShare, p50, p99 };
}
