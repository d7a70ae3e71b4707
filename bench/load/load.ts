import { setTimeout as pause } from 'node:timers/promises';
import { type Child, processorShare } from '../servers/processes.ts';
import type { Server } from '../servers/servers.ts';
import { type Counted, type Plan, tool } from './tool.ts';

/** The result of one measurement. Shares are of one core, and undefined on systems without `/proc`. */
export interface Measured {
  readonly perSecond: number;
  readonly loadShare: number | undefined;
  readonly serverShare: number | undefined;
  /** The median and the 99th percentile of the answer times in milliseconds, where they are known. */
  readonly p50?: number;
  readonly p99?: number;
}

/** Milliseconds at the start and the end of a load that do not count for shares. */
const EDGE = 200;

/** Waits until the load is steady. */
export async function isSteady(child: Child): Promise<void> {
  await child.said(/(loading)/, 30_000);
  await pause(EDGE);
}

/** Reads the count of a tool. Throws if a request was lost or refused, because fast refusals would look like speed. */
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

/** Adds a measurement to the list for the notes, and returns the rate for the table. */
export function kept(all: Measured[], measured: Measured): number {
  all.push(measured);
  return measured.perSecond;
}

/** Loads a server and measures its answers. */
export async function load(server: Pick<Server, 'url' | 'pid'>, plan: Omit<Plan, 'url'>): Promise<Measured> {
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
