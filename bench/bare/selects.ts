import pg from 'pg';
import { bytesOf } from '../../src/core/domain/ticket.ts';
import { digestOf } from '../../src/core/gate/tickets.ts';
import { ticketOf, zipf } from '../seeding/draws.ts';

/** Looks tickets up with the bare driver, by a prepared statement, and prints the number a second. */
const [url = '', tickets = '', workingSet = '', connections = '', atATime = '', seconds = ''] =
  process.argv.slice(2);
/** Seconds before the measurement, since the other side is warm. */
const WARM_UP = 2;
const SELECT = { name: 'select', text: 'SELECT user_id, used_at FROM tickets WHERE digest = $1' };

const clients = await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    const client = new pg.Client({ connectionString: url, pipeline: true });
    await client.connect();
    return client;
  }),
);
const draw = zipf(Number(tickets), Number(workingSet));
const digests = Array.from({ length: 50_000 }, (_, at) => bytesOf(digestOf(ticketOf(draw('select', at)))));
let done = 0;
let until = Number.POSITIVE_INFINITY;

async function selectOn(client: pg.Client): Promise<void> {
  while (performance.now() < until) {
    const { rows } = await client.query({ ...SELECT, values: [digests[done % digests.length]] });
    if (rows.length !== 1) throw new Error('a ticket is not there');
    done += 1;
  }
}

async function rate(duration: number): Promise<number> {
  const [before, began] = [done, performance.now()];
  until = began + duration * 1_000;
  await Promise.all(
    Array.from({ length: Number(atATime) }, (_, at) => selectOn(clients[at % clients.length] as pg.Client)),
  );
  return ((done - before) * 1_000) / (performance.now() - began);
}

await rate(WARM_UP);
console.log('measuring');
console.log(`a second: ${await rate(Number(seconds))}`);
await Promise.all(clients.map((client) => client.end()));
