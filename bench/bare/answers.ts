import cluster from 'node:cluster';
import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ticketOf } from '../seeding/draws.ts';

/** The answer to send: `before`, the ticket from the end of the URL (if `ticketLength` is above 0), and `after`. */
export interface Model {
  readonly headers: Readonly<Record<string, string>>;
  readonly before: string;
  readonly after: string;
  readonly ticketLength: number;
  /** Milliseconds until an idle connection is closed. */
  readonly keepAlive: number;
  /** Number of tickets to look up requests in, by digest. With 0 the server looks nothing up and always answers. */
  readonly tickets: number;
}

/** The digests of the tickets, each with its last use; undefined for 0 tickets. */
function held(tickets: number): ReadonlyMap<string, number> | undefined {
  if (tickets === 0) return undefined;
  const now = Date.now();
  return new Map(Array.from({ length: tickets }, (_, number) => [hash('sha256', ticketOf(number)), now]));
}

const isLive = (usedAt: number | undefined) => usedAt !== undefined && usedAt <= Date.now();

const model: Model = JSON.parse(process.argv[2] ?? '');
const { before, after, ticketLength } = model;
const known = held(model.tickets);
const headers = { ...model.headers };
const idStart = headers['x-request-id']?.replace(/[^-]*$/, '');
let number = 0;

const server = createServer({ keepAliveTimeout: model.keepAlive }, (request, response) => {
  if (idStart !== undefined) {
    number += 1;
    headers['x-request-id'] = `${idStart}${number.toString(36)}`;
  }
  const url = request.url as string;
  const ticket = url.slice(url.length - ticketLength);
  if (known !== undefined && !isLive(known.get(hash('sha256', ticket)))) response.writeHead(404).end();
  else response.writeHead(200, headers).end(before + ticket + after);
});

function listen(): void {
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    if (cluster.isPrimary) console.log(`listens on http://127.0.0.1:${port}`);
  });
}

/** Starts processes that share a port, and prints the URL when all of them listen. */
function fork(workers: number): void {
  let listening = 0;
  cluster.on('listening', (_, { port }) => {
    listening += 1;
    if (listening === workers) console.log(`listens on http://127.0.0.1:${port}`);
  });
  for (let number = 0; number < workers; number += 1) cluster.fork();
}

const workers = Number(process.argv[3] ?? 1);
if (cluster.isPrimary && workers > 1) fork(workers);
else listen();
process.once('SIGTERM', () => process.exit());
