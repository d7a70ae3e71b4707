import autocannon from 'autocannon';
import { readRequests } from './requests.ts';
import type { Counted, Plan } from './tool.ts';

const { url, requests, connections, seconds }: Plan = JSON.parse(process.argv[2] ?? '');

const all = readRequests(requests);
let at = 0;
const setupRequest = (request: object) => {
  at = (at + 1) % all.length;
  return { ...request, ...all[at] };
};
function printCount(error: unknown, result: autocannon.Result): void {
  if (error) throw error;
  const count: Counted = {
    answered: result['2xx'] + result.non2xx,
    seconds: result.duration,
    lost: result.errors,
    refused: result.non2xx,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
  console.log(JSON.stringify(count));
}

console.log('loading');
const run = autocannon(
  { url, connections, duration: seconds, timeout: 10, requests: [{ setupRequest }] },
  printCount,
);
process.once('SIGINT', () => run.stop());
