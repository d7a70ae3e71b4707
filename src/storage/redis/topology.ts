import { type Host, shownHost } from '../host.ts';
import { type ClusterView, type Master, toldIn } from './cluster-nodes.ts';
import { ConnectionLost } from './errors.ts';
import { SLOTS } from './partitions.ts';
import type { RedisServer } from './server.ts';

/** How long the slower servers are waited for once one has told what it knows, in milliseconds. */
const MORE = 300;

/** What the servers that answered know of the cluster together. */
export interface View {
  /** The host of each slot's master, as {@link shownHost}. */
  readonly masters: readonly string[];
  readonly hosts: ReadonlyMap<string, Host>;
  /** Where servers are reached, by the addresses that redirections may name: an IP address, or a host name. */
  readonly reached: ReadonlyMap<string, Host>;
  /** Masters that another server than themselves knows as such. */
  readonly confirmed: ReadonlySet<string>;
  /** Masters that somebody holds for failed. */
  readonly failed: ReadonlySet<string>;
  /** How many replicas of each master could take its place, as whoever knows most of them says. */
  readonly replicas: ReadonlyMap<string, number>;
}

/** Gives the promise's value, or nothing after `length` milliseconds. */
async function within<T>(promise: Promise<T>, length: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, length, undefined);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

async function toldBy({ line, host }: RedisServer, byName: boolean): Promise<ClusterView> {
  const connection = await line.get();
  return toldIn(String(await connection.send(['CLUSTER', 'NODES'])), host, byName);
}

/** What these servers know together. Throws the first's error when none answers within `deadline` milliseconds. */
export async function viewOf(
  servers: readonly RedisServer[],
  byName: boolean,
  deadline: number,
): Promise<View> {
  const asked = servers.map((server) => toldBy(server, byName));
  for (const answer of asked) answer.catch(() => undefined);
  await within(
    Promise.any(asked).catch(() => undefined),
    deadline,
  );
  const answers = await Promise.all(asked.map((answer) => within(settled(answer), MORE)));
  const told = answers.flatMap((answer) => (answer?.status === 'fulfilled' ? [answer.value] : []));
  if (told.length === 0)
    throw (
      answers.find((answer) => answer?.status === 'rejected')?.reason ??
      new ConnectionLost('no Redis server answers in time')
    );
  return merged(told);
}

async function settled<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [result] = await Promise.allSettled([promise]);
  return result;
}

/** For each slot the claim of the highest epoch holds: a master that was replaced and does not know it has a lower one. */
function merged(told: readonly ClusterView[]): View {
  const known = told.flatMap((one) => one.masters);
  const masters = new Array<string>(SLOTS).fill('');
  const hosts = new Map<string, Host>();
  for (const { host, slots } of known.toSorted((a, b) => a.epoch - b.epoch)) {
    const name = shownHost(host);
    hosts.set(name, host);
    for (const [first, last] of slots) masters.fill(name, first, last + 1);
  }
  const namesOf = (some: readonly Master[]) => new Set(some.map(({ host }) => shownHost(host)));
  const others = told.flatMap((one) => one.masters.filter(({ id }) => id !== one.by));
  const confirmed = new Set(others.map(({ id }) => id));
  const replicas = new Map<string, number>();
  for (const { host, replicas: count } of known)
    replicas.set(shownHost(host), Math.max(count, replicas.get(shownHost(host)) ?? 0));
  return {
    masters,
    hosts,
    reached: new Map(told.flatMap(({ reached }) => reached)),
    confirmed: namesOf(known.filter(({ id }) => confirmed.has(id))),
    failed: namesOf(known.filter(({ failed }) => failed)),
    replicas,
  };
}
