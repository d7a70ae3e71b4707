import type { Finding } from '../../core/domain/finding.ts';
import type { RedisServers } from './servers.ts';

/** The oldest version of Redis. */
const OLDEST = 7;

/** The state and the settings of a master, by its own answers. */
interface AskedMaster {
  readonly from: string;
  /** The fields of `INFO`. */
  readonly info: ReadonlyMap<string, string>;
  /** Its settings that were asked for; undefined if it does not show them to this user. */
  readonly config: ReadonlyMap<string, string> | undefined;
}

/** Reads the fields of an `INFO`. */
export function fieldsIn(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\r\n').filter((line) => line.includes(':'));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}

/** Reads the pairs in the answer to a `CONFIG GET`. */
export function pairsIn(reply: unknown): ReadonlyMap<string, string> {
  const words = Array.isArray(reply) ? reply.map(String) : [];
  const names = words.filter((_, index) => index % 2 === 0);
  return new Map(names.map((name, index) => [name, words[2 * index + 1] ?? '']));
}

/** The version of each master, such as `Redis 7.2.4 at host:6379`. */
async function versionsOf(servers: RedisServers): Promise<string[]> {
  const infos = await servers.askAll(['INFO', 'server']);
  return infos.map(({ from, reply }) => `Redis ${fieldsIn(String(reply)).get('redis_version')} at ${from}`);
}

async function askMasters(servers: RedisServers): Promise<AskedMaster[]> {
  const [infos, configs] = await Promise.all([
    servers.askAll(['INFO']),
    // Managed servers often forbid CONFIG.
    servers.askAll(['CONFIG', 'GET', 'appendfsync', 'min-replicas-to-write']).catch(() => []),
  ]);
  const configOf = new Map(configs.map(({ from, reply }) => [from, pairsIn(reply)]));
  return infos.map(({ from, reply }) => ({
    from,
    info: fieldsIn(String(reply)),
    config: configOf.get(from),
  }));
}

type Check = (master: AskedMaster) => Finding | undefined;

const checkVersion: Check = ({ from, info }) => {
  const version = info.get('redis_version') ?? '?';
  if (Number.parseInt(version, 10) >= OLDEST) return undefined;
  return {
    level: 'fault',
    what: `Redis at ${from} has version ${version}`,
    mend: `run Redis ${OLDEST} or later, or Valkey`,
  };
};

const checkMemory: Check = ({ from, info }) => {
  const isLimited = info.get('maxmemory') !== '0';
  if ((info.get('maxmemory_policy') ?? 'noeviction') !== 'noeviction')
    return {
      level: isLimited ? 'fault' : 'warning',
      what: `Redis at ${from} evicts keys when its memory is full, live tickets included`,
      mend: 'set maxmemory-policy noeviction',
    };
  if (isLimited) return undefined;
  return {
    level: 'warning',
    what: `Redis at ${from} has no maxmemory`,
    mend: 'set one, so that a full machine refuses logins before it fails',
  };
};

const checkLog: Check = ({ from, info, config }) => {
  if (info.get('aof_enabled') === '0')
    return {
      level: 'warning',
      what: `Redis at ${from} keeps no log of its writes, so a restart loses tickets`,
      mend: 'set appendonly yes',
    };
  if (info.get('aof_last_write_status') === 'err')
    return {
      level: 'fault',
      what: `Redis at ${from} cannot write its log`,
      mend: 'look at its disk, and at its own log',
    };
  const synced = config?.get('appendfsync');
  if (synced === 'always') return undefined;
  if (synced === undefined)
    return {
      level: 'warning',
      what: `Redis at ${from} does not show its settings, so it is not known whether a loss of power loses its last writes`,
      mend: 'permit +config|get, or see yourself that appendfsync is always',
    };
  return {
    level: 'warning',
    what: `Redis at ${from} has appendfsync ${synced}, so a loss of power loses its last writes`,
    mend: 'set appendfsync always',
  };
};

const checkReplicas: Check = ({ from, info, config }) => {
  const target = Number(config?.get('min-replicas-to-write') ?? 0);
  const there = Number(info.get('min_slaves_good_slaves') ?? target);
  if (there < target)
    return {
      level: 'fault',
      what: `Redis at ${from} refuses writes: it has ${there} of the ${target} replicas in min-replicas-to-write`,
      mend: 'start the replicas that are missing, or set min-replicas-to-write lower: the service waits for replicas itself',
    };
  if (info.get('connected_slaves') !== '0') return undefined;
  return {
    level: 'warning',
    what: `Redis at ${from} has no replica: its tickets are lost with it`,
    mend: 'give each master a replica',
  };
};

const CHECKS: readonly Check[] = [checkVersion, checkMemory, checkLog, checkReplicas];

/** What an operator should mend in each master: its version, its eviction of keys, its log on disk, and its replicas. */
export async function findingsOf(servers: RedisServers): Promise<Finding[]> {
  const masters = await askMasters(servers);
  return masters.flatMap((master) => CHECKS.flatMap((check) => check(master) ?? []));
}

/** The checks of the servers for an operator. */
export const reportsOf = (servers: RedisServers) => ({
  findings: () => findingsOf(servers),
  versions: () => versionsOf(servers),
});
