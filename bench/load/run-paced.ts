import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { PacedPlan, Waits } from './paced.ts';
import { readRequests } from './requests.ts';

// autocannon counts whole milliseconds, and most answers take less than one.
const { url, requests, connections, seconds, rate }: PacedPlan = JSON.parse(process.argv[2] ?? '');
const all = readRequests(requests);
const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' });
const { hostname, port } = new URL(url);

/** Sends one request and returns its time, including the wait for a free connection. */
async function wait(at: number): Promise<number> {
  const began = performance.now();
  const { method, path, headers } = all[at % all.length] as (typeof all)[number];
  const asked = request({ hostname, port, method, path, headers, agent, timeout: 10_000 }).end();
  asked.once('timeout', () => asked.destroy(new Error('no answer')));
  const [response] = await once(asked, 'response');
  await once(response.resume(), 'end');
  if (response.statusCode !== 200) throw new Error(`answered ${response.statusCode}`);
  return performance.now() - began;
}

/** Sends `rate` requests a second for `length` seconds, and waits for all answers. */
async function pacedFor(length: number): Promise<Float64Array> {
  const waits: Promise<number>[] = [];
  const began = performance.now();
  while (waits.length < length * rate) {
    const due = Math.min(((performance.now() - began) / 1_000) * rate, length * rate);
    while (waits.length < due) waits.push(wait(waits.length));
    await pause(1);
  }
  return Float64Array.from(await Promise.all(waits)).sort();
}

await pacedFor(1);
const waits = await pacedFor(seconds);
const percentile = (share: number) => waits[Math.ceil(waits.length * share) - 1] as number;
const found: Waits = { p95: percentile(0.95), p99: percentile(0.99) };
console.log(JSON.stringify(found));
agent.destroy();
