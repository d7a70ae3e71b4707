import { start } from '../servers/processes.ts';
import { inCheckout, type Server } from '../servers/servers.ts';
import type { Plan } from './tool.ts';

/** A load at a fixed rate, which does not wait for answers. */
export interface PacedPlan extends Plan {
  /** Requests a second. */
  readonly rate: number;
}

/** The result of a paced load: percentiles of the answer times in milliseconds. */
export interface Waits {
  readonly p95: number;
  readonly p99: number;
}

/** Sends requests at a fixed rate and measures the answer times. */
export async function pacedLoad(server: Server, plan: Omit<PacedPlan, 'url'>): Promise<Waits> {
  const whole: PacedPlan = { ...plan, url: server.url };
  await using child = start(inCheckout('bin/node'), [
    inCheckout('bench/load/run-paced.ts'),
    JSON.stringify(whole),
  ]);
  return JSON.parse(await child.output(plan.seconds * 1_000 + 30_000));
}
