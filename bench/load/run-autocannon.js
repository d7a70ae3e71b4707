// JavaScript, because autocannon and its types come with the packages of bench/, which not every checkout has installed.
import autocannon from 'autocannon';
import { readRequests } from './requests.ts';

const { url, requests, connections, seconds } = JSON.parse(process.argv[2] ?? '');

const all = readRequests(requests);
let at = 0;
const setupRequest = (request) => {
  at = (at + 1) % all.length;
  return { ...request, ...all[at] };
};

/** Prints the count as `Counted` in tool.ts. */
function printCount(error, result) {
  if (error) throw error;
  const count = {
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
