import type { RedisServers } from './servers.ts';

/** What an operator should know of the servers before anybody relies on them. */
export interface Health {
  /** Why the service should not be started on them. */
  readonly refusal: string | undefined;
  readonly warnings: readonly string[];
}

const OLDEST = 7;

function fieldsIn(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\r\n').filter((line) => line.includes(':'));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}

/** Looks at every master: its version, whether it could throw tickets away, whether it keeps them, who has a copy. */
export async function healthOf(servers: RedisServers): Promise<Health> {
  const warnings: string[] = [];
  let refusal: string | undefined;
  for (const { from, reply } of await servers.askAll(['INFO'])) {
    const fields = fieldsIn(String(reply));
    const version = fields.get('redis_version') ?? '?';
    if (Number.parseInt(version, 10) < OLDEST)
      refusal ??= `Redis at ${from} has version ${version}: run Redis ${OLDEST} or later, or Valkey`;
    const policy = fields.get('maxmemory_policy') ?? 'noeviction';
    if (policy !== 'noeviction' && fields.get('maxmemory') !== '0')
      refusal ??= `Redis at ${from} throws keys away when its memory is full, and live tickets with them: set maxmemory-policy noeviction`;
    if (policy === 'noeviction' && fields.get('maxmemory') === '0')
      warnings.push(
        `Redis at ${from} has no maxmemory: set one, so that a full machine refuses logins before it fails`,
      );
    if (fields.get('aof_enabled') === '0')
      warnings.push(
        `Redis at ${from} keeps no log of its writes: set appendonly yes, or a restart loses tickets`,
      );
    if (fields.get('connected_slaves') === '0')
      warnings.push(`Redis at ${from} has no replica: its tickets are lost with it`);
  }
  return { refusal, warnings };
}
