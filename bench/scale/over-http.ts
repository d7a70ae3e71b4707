import { join } from 'node:path';
import { load } from '../load/load.ts';
import { validations } from '../load/validations.ts';
import { passwordHash, seed } from '../seeding.ts';
import { startTessera } from '../servers.ts';
import { uniform } from '../tickets.ts';

const TICKETS = 10_000;
const CONNECTIONS = 64;

/** Validations over HTTP for each CPU second of an instance, on the embedded store; nothing where no share is told. */
export async function validationsPerCore(
  folder: string,
  seconds: number,
  say: (progress: string) => void,
): Promise<number | undefined> {
  const data = join(folder, 'over-http');
  say(`validations over HTTP, ${TICKETS} tickets`);
  await seed(data, TICKETS);
  await using server = await startTessera(data);
  const requests = validations({ folder }, uniform(TICKETS), 0);
  const { perSecond, serverShare } = await load(server, { requests, connections: CONNECTIONS, seconds });
  return serverShare === undefined ? undefined : perSecond / serverShare;
}

const HASHES = 20;

/** CPU seconds of one password hash at the cost that the service has by default. */
export async function hashSeconds(): Promise<number> {
  const before = process.cpuUsage();
  for (let hash = 0; hash < HASHES; hash += 1) await passwordHash();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6 / HASHES;
}
