import { start } from '../servers/processes.ts';
import { inCheckout, type Server } from '../servers/servers.ts';
import type { Plan } from './tool.ts';

/** A load at a fixed rate, however slowly it is answered. */
export interface PacedPlan extends Plan {
  /** Requests a second. */
  readonly rate: number;
}

/** What a paced load found: milliseconds that 99 of 100 answers took at most. */
export interface Waits {
  readonly p99: number;
}

/** Asks a server at a fixed rate and measures how long the answers take. */
export async function pacedLoad(server: Server, plan: Omit<PacedPlan, 'url'>): Promise<Waits> {
  const whole: PacedPlan = { ...plan, url: server.url };
  await using child = start(inCheckout('bin/node'), [
    inCheckout('bench/load/run-paced.ts'),
    JSON.stringify(whole),
  ]);
  return JSON.parse(await child.output(plan.seconds * 1_000 + 30_000));
}
