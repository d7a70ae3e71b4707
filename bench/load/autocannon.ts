import { start } from '../processes.ts';
import { inCheckout } from '../servers.ts';
import type { Tool } from './tool.ts';

/** autocannon, which comes with the project. */
export const autocannon: Tool = {
  name: 'autocannon (wrk is not installed)',
  start: (plan) =>
    start(inCheckout('bin/node'), [inCheckout('bench/load/run-autocannon.ts'), JSON.stringify(plan)]),
};
