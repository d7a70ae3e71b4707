import { passwordHash } from '../seeding.ts';

const HASHES = 20;

/** CPU seconds of one password hash at the cost that the service has by default. */
export async function hashSeconds(): Promise<number> {
  const before = process.cpuUsage();
  for (let hash = 0; hash < HASHES; hash += 1) await passwordHash();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6 / HASHES;
}
