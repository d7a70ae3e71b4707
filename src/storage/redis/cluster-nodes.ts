import { type Host, shownHost } from '../host.ts';

/** A master as one server's `CLUSTER NODES` tells of it. */
export interface Master {
  readonly id: string;
  readonly host: Host;
  /** Rises with each fail-over: of two who claim a slot the higher one has it. */
  readonly epoch: number;
  readonly slots: readonly (readonly [first: number, last: number])[];
  readonly failed: boolean;
  /** How many replicas it has that could take its place: all that are not agreed to have failed. */
  readonly replicas: number;
}

/** What one server's `CLUSTER NODES` tells. */
export interface ClusterView {
  /** The id of the server that tells it, which is the same by whatever name that was asked. */
  readonly by: string;
  /** The masters with slots. */
  readonly masters: readonly Master[];
  /** Where each server is reached, by what redirections may name: its IP address or its host name, with the port. */
  readonly reached: readonly (readonly [named: string, at: Host])[];
}

const FLAGGED = /\bfail\b|noaddr|handshake/;

function hostOf(text: string, asked: Host, byName: boolean): Host {
  const [, ip = '', port = '', name = ''] = /^(.*):(\d+)(?:@\d+)?(?:,([^,]*))?/.exec(text) ?? [];
  return { name: (byName && name) || ip || asked.name, port: Number(port) };
}

function slotsIn(words: readonly string[]): (readonly [number, number])[] {
  return words
    .filter((word) => /^\d/.test(word))
    .map((word) => {
      const [first = '', last = first] = word.split('-');
      return [Number(first), Number(last)] as const;
    });
}

function mastersIn(lines: readonly string[][], asked: Host, byName: boolean): Master[] {
  const followed = lines
    .filter(([, , flags = '']) => /\bslave\b/.test(flags) && !flags.split(',').includes('fail'))
    .map(([, , , master]) => master);
  return lines
    .filter(([, , flags = '', , , , , , ...slots]) => /\bmaster\b/.test(flags) && slots.length > 0)
    .map(([id = '', address = '', flags = '', , , , epoch, , ...slots]) => ({
      id,
      host: hostOf(address, asked, byName),
      epoch: Number(epoch),
      slots: slotsIn(slots),
      failed: FLAGGED.test(flags),
      replicas: followed.filter((master) => master === id).length,
    }));
}

function reachedIn(lines: readonly string[][], asked: Host, byName: boolean): ClusterView['reached'] {
  return lines.flatMap(([, address = '']) => {
    const at = hostOf(address, asked, byName);
    return [false, true].map((named) => [shownHost(hostOf(address, asked, named)), at] as const);
  });
}

/** What `CLUSTER NODES` says of a server that was `asked`; `byName` takes announced host names, as certificates have them. */
export function toldIn(text: string, asked: Host, byName: boolean): ClusterView {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' '));
  const [by = ''] = lines.find(([, , flags = '']) => /\bmyself\b/.test(flags)) ?? [];
  return { by, masters: mastersIn(lines, asked, byName), reached: reachedIn(lines, asked, byName) };
}
