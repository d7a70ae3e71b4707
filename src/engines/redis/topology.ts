import { type Host, shownHost } from '../server-url.ts';
import { ConnectionLost } from './errors.ts';
import { SLOTS } from './partitions.ts';
import type { RedisServer } from './server.ts';

/** How long the other servers may take once one has answered, in milliseconds. */
const OTHERS_DEADLINE = 300;

/** What the servers that answered know of the cluster together. */
export interface View {
  /** The host of each slot's master, as {@link shownHost}. */
  readonly masters: readonly string[];
  readonly hosts: ReadonlyMap<string, Host>;
  /** Where to reach a server by the address in a redirection: an IP address or a host name, with the port. */
  readonly hostByAddress: ReadonlyMap<string, Host>;
  /** Masters that another server confirms. */
  readonly confirmed: ReadonlySet<string>;
  /** Masters that some server reports as failed. */
  readonly failed: ReadonlySet<string>;
  /** How many replicas of each master could be promoted: the highest number that a server reports. */
  readonly replicas: ReadonlyMap<string, number>;
}

/** Resolves to the promise's value, or to undefined after `length` milliseconds. */
async function within<T>(promise: Promise<T>, length: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, length, undefined);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

async function viewFrom({ reads, host }: RedisServer, byName: boolean): Promise<ClusterView> {
  const connection = await reads.get();
  return parseClusterNodes(String(await connection.send(['CLUSTER', 'NODES'])), host, byName);
}

/** The merged view of these servers. Throws the first server's error when none answers within `deadline` milliseconds. */
export async function viewOf(
  servers: readonly RedisServer[],
  byName: boolean,
  deadline: number,
): Promise<View> {
  const pending = servers.map((server) => viewFrom(server, byName));
  for (const answer of pending) answer.catch(() => undefined);
  await within(
    Promise.any(pending).catch(() => undefined),
    deadline,
  );
  const answers = await Promise.all(pending.map((answer) => within(settled(answer), OTHERS_DEADLINE)));
  const views = answers.flatMap((answer) => (answer?.status === 'fulfilled' ? [answer.value] : []));
  if (views.length === 0)
    throw (
      answers.find((answer) => answer?.status === 'rejected')?.reason ??
      new ConnectionLost('no Redis server answers in time')
    );
  return merged(views);
}

async function settled<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [result] = await Promise.allSettled([promise]);
  return result;
}

/** The claim of the highest epoch decides who has a slot: a master that was replaced and does not know it has a lower one. */
function merged(views: readonly ClusterView[]): View {
  const all = views.flatMap((view) => view.masters);
  const masters = new Array<string>(SLOTS).fill('');
  const hosts = new Map<string, Host>();
  for (const { host, slots } of all.toSorted((a, b) => a.epoch - b.epoch)) {
    const name = shownHost(host);
    hosts.set(name, host);
    for (const [first, last] of slots) masters.fill(name, first, last + 1);
  }
  const namesOf = (some: readonly Master[]) => new Set(some.map(({ host }) => shownHost(host)));
  const others = views.flatMap((view) => view.masters.filter(({ id }) => id !== view.by));
  const confirmed = new Set(others.map(({ id }) => id));
  const replicas = new Map<string, number>();
  for (const { host, replicas: count } of all)
    replicas.set(shownHost(host), Math.max(count, replicas.get(shownHost(host)) ?? 0));
  return {
    masters,
    hosts,
    hostByAddress: new Map(views.flatMap(({ hostByAddress }) => hostByAddress)),
    confirmed: namesOf(all.filter(({ id }) => confirmed.has(id))),
    failed: namesOf(all.filter(({ failed }) => failed)),
    replicas,
  };
}

/** A master in one server's `CLUSTER NODES`. */
interface Master {
  readonly id: string;
  readonly host: Host;
  /** Rises with each fail-over. If two masters claim a slot, the one with the higher epoch has it. */
  readonly epoch: number;
  readonly slots: readonly (readonly [first: number, last: number])[];
  readonly failed: boolean;
  /** How many replicas of it could be promoted: all that the cluster has not agreed to have failed. */
  readonly replicas: number;
}

/** One server's `CLUSTER NODES`. */
interface ClusterView {
  /** The id of this server, the same under each of its names. */
  readonly by: string;
  /** The masters with slots. */
  readonly masters: readonly Master[];
  /** Where to reach each server by the address in a redirection: its IP address or its host name, with the port. */
  readonly hostByAddress: readonly (readonly [named: string, at: Host])[];
}

const FLAGGED = /\bfail\b|noaddr|handshake/;

function hostOf(text: string, origin: Host, byName: boolean): Host {
  const [, ip = '', port = '', name = ''] = /^(.*):(\d+)(?:@\d+)?(?:,([^,]*))?/.exec(text) ?? [];
  return { name: (byName && name) || ip || origin.name, port: Number(port) };
}

function slotsIn(words: readonly string[]): (readonly [number, number])[] {
  return words
    .filter((word) => /^\d/.test(word))
    .map((word) => {
      const [first = '', last = first] = word.split('-');
      return [Number(first), Number(last)] as const;
    });
}

function mastersIn(lines: readonly string[][], origin: Host, byName: boolean): Master[] {
  const followed = lines
    .filter(([, , flags = '']) => /\bslave\b/.test(flags) && !flags.split(',').includes('fail'))
    .map(([, , , master]) => master);
  return lines
    .filter(([, , flags = '', , , , , , ...slots]) => /\bmaster\b/.test(flags) && slots.length > 0)
    .map(([id = '', address = '', flags = '', , , , epoch, , ...slots]) => ({
      id,
      host: hostOf(address, origin, byName),
      epoch: Number(epoch),
      slots: slotsIn(slots),
      failed: FLAGGED.test(flags),
      replicas: followed.filter((master) => master === id).length,
    }));
}

function hostsByAddressIn(
  lines: readonly string[][],
  origin: Host,
  byName: boolean,
): ClusterView['hostByAddress'] {
  return lines.flatMap(([, address = '']) => {
    const at = hostOf(address, origin, byName);
    return [false, true].map((named) => [shownHost(hostOf(address, origin, named)), at] as const);
  });
}

/** Parses the `CLUSTER NODES` of the server `asked`. `byName` takes announced host names, which certificates hold. */
export function parseClusterNodes(text: string, origin: Host, byName: boolean): ClusterView {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' '));
  const [by = ''] = lines.find(([, , flags = '']) => /\bmyself\b/.test(flags)) ?? [];
  return {
    by,
    masters: mastersIn(lines, origin, byName),
    hostByAddress: hostsByAddressIn(lines, origin, byName),
  };
}
