import { join } from 'node:path';
import { makeThrottleKey } from '../../src/core/identity/throttle-key.ts';
import { Postgres, whyNoPostgres } from '../../test/service/postgres.ts';
import { openPostgres } from '../../test/service/stores.ts';
import { bareRate } from '../load/bare-rate.ts';
import { compared } from '../load/compared.ts';
import { load, type Measured } from '../load/load.ts';
import { validations } from '../load/request-files.ts';
import { atLeast } from '../report/aim.ts';
import { zipf } from '../seeding/draws.ts';
import { seedStore } from '../seeding/tickets.ts';
import { type Server, startTessera } from '../servers/servers.ts';
import type { Bench, Line, Row } from './row.ts';

const CONNECTIONS = 64;
const WORKING_SET = 10_000;
/** The connections through which one instance reads. */
const READERS = 2;
const AIM = atLeast(0.6);
const EMBEDDED = atLeast(0.8);
const BESIDE_ALONE = "PostgreSQL's own processor time comes on top of that of the service";
const DURABLE = ['fsync = on', 'shared_buffers = 512MB', 'max_wal_size = 2GB'];
const BESIDE =
  "processor time is that of the service and of the driver: PostgreSQL's own comes on top of both";
const SEEDING = { statementDeadline: 10 * 60_000 };

/** Loads several instances at once. They share {@link CONNECTIONS}. */
function validate(bench: Bench, instances: readonly Server[]) {
  return async (round: number, seconds: number): Promise<Measured> => {
    const requests = validations(bench, zipf(bench.tickets, WORKING_SET), round);
    const plan = { requests, connections: CONNECTIONS / instances.length, seconds };
    const all = await Promise.all(instances.map((instance) => load(instance, plan)));
    const sum = (of: (one: Measured) => number | undefined) =>
      all.reduce((total, one) => total + (of(one) ?? 0), 0);
    return {
      perSecond: sum(({ perSecond }) => perSecond),
      serverShare: sum(({ serverShare }) => serverShare),
      loadShare: sum(({ loadShare }) => loadShare),
    };
  };
}

async function onServer(bench: Bench, server: Postgres): Promise<Line[]> {
  const url = await server.freshDatabase();
  bench.say(`seeding ${bench.tickets} tickets into PostgreSQL`);
  await seedStore(await openPostgres(url, SEEDING), bench.tickets);
  await server.ask('VACUUM ANALYZE', url);
  const keyFile = join(bench.folder, 'throttle-key');
  makeThrottleKey(keyFile);
  const settings = { TESSERA_DATABASE: url, TESSERA_THROTTLE_KEY_FILE: keyFile };
  await using memory = await startTessera(await bench.dataFolder());
  await using one = await startTessera(bench.folder, settings);
  const alone = validate(bench, [one]);
  const words = [url, bench.tickets, WORKING_SET, READERS, CONNECTIONS].map(String);
  const embedded = await compared(
    bench,
    { name: 'validate with PostgreSQL against the embedded store, drawn by Zipf from 10,000', aim: EMBEDDED },
    alone,
    validate(bench, [memory]),
  );
  const raw = (_: number, seconds: number) => bareRate('selects.ts', words, seconds);
  const name = "validate with PostgreSQL against the driver's prepared select, drawn by Zipf from 10,000";
  const line = await compared(bench, { name, aim: AIM }, alone, raw);
  const lines: Line[] = [
    { ...embedded, notes: [BESIDE_ALONE, ...embedded.notes] },
    { ...line, notes: [BESIDE, ...line.notes] },
  ];
  await using other = await startTessera(bench.folder, settings);
  const both = validate(bench, [one, other]);
  const shared = 'validate with two instances against one, drawn by Zipf from 10,000';
  lines.push(await compared(bench, { name: shared }, both, alone));
  return lines;
}

/** Compares validations with a local PostgreSQL with the bare driver, and two instances with one. */
export const postgres: Row = {
  name: 'postgres',
  async measure(bench) {
    const why = whyNoPostgres();
    if (why !== undefined) throw new Error(why);
    const server = await Postgres.start(...DURABLE);
    return await onServer(bench, server).finally(() => server.remove());
  },
};
