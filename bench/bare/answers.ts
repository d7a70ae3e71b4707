import cluster from 'node:cluster';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The answer to give: its body stands before and behind the ticket, which ends each URL where there is one. */
export interface Model {
  readonly headers: Readonly<Record<string, string>>;
  readonly before: string;
  readonly after: string;
  readonly ticketLength: number;
  /** Milliseconds that an idle connection is kept. */
  readonly keepAlive: number;
}

const model: Model = JSON.parse(process.argv[2] ?? '');
const { before, after, ticketLength } = model;
const headers = { ...model.headers };
const idStart = headers['x-request-id']?.replace(/[^-]*$/, '');
let number = 0;

const server = createServer({ keepAliveTimeout: model.keepAlive }, (request, response) => {
  if (idStart !== undefined) {
    number += 1;
    headers['x-request-id'] = `${idStart}${number.toString(36)}`;
  }
  response.writeHead(200, headers);
  const url = request.url as string;
  response.end(before + url.slice(url.length - ticketLength) + after);
});

function listen(): void {
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    if (cluster.isPrimary) console.log(`listens on http://127.0.0.1:${port}`);
  });
}

/** So many processes that share a port; told once all of them listen. */
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
