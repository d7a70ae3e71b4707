import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Child, start } from '../servers/processes.ts';
import { inCheckout } from '../servers/servers.ts';

/** A load: the requests of a file (see {@link ./requests.ts}), repeated until the time is over. */
export interface Plan {
  readonly url: string;
  readonly requests: string;
  readonly connections: number;
  readonly seconds: number;
}

/** The result of a load. */
export interface Counted {
  readonly answered: number;
  readonly seconds: number;
  /** Requests without an answer. */
  readonly lost: number;
  /** Requests with another answer than a 2xx. */
  readonly refused: number;
  /** Milliseconds that half of the answers, and 99 of 100, took at most. */
  readonly p50: number;
  readonly p99: number;
}

/** A program that creates load, in one thread of a process of its own. */
interface Tool {
  readonly name: string;
  /**
   * Starts the program. It prints `loading` when it has read its requests, and a {@link Counted} as JSON when it ends or is
   * interrupted.
   */
  start(plan: Plan): Child;
}

/** `wrk`, if it is on the path. */
function wrk(): Tool | undefined {
  const version = /^wrk \S+/m.exec(String(spawnSync('wrk', ['-v']).stdout))?.[0];
  if (version === undefined) return undefined;
  const script = inCheckout('bench/load/requests.lua');
  return {
    name: version,
    start({ url, requests, connections, seconds }) {
      const options = ['-t1', `-c${connections}`, `-d${seconds}`, '--timeout=10', '-s', script];
      return start('wrk', [...options, url, '--', requests]);
    },
  };
}

const autocannon: Tool = {
  name: 'autocannon (wrk is not installed)',
  start: (plan) =>
    start(inCheckout('bin/node'), [inCheckout('bench/load/run-autocannon.js'), JSON.stringify(plan)]),
};

/** `wrk` where it is installed, since it takes a fraction of the processor time of autocannon. */
export const tool: Tool = wrk() ?? autocannon;

/** Why there is no load, with what to do about it; undefined where there is a tool. */
export function whyNoLoad(): string | undefined {
  if (tool !== autocannon || existsSync(inCheckout('bench/node_modules/autocannon'))) return undefined;
  return "neither wrk nor autocannon is installed: install wrk, or run 'npm ci --prefix bench'";
}
