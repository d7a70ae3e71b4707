import { type Host, shownHost } from '../host.ts';

/** A master as one server's `CLUSTER NODES` tells of it. */
export interface Master {
  readonly host: Host;
  /** Rises with each fail-over: of two who claim a slot the higher one has it. */
  readonly epoch: number;
  readonly slots: readonly (readonly [first: number, last: number])[];
  readonly failed: boolean;
  /** How many replicas it has that could take its place: all that are not agreed to have failed. */
  readonly replicas: number;
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

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' '));

/** The masters with slots in what `CLUSTER NODES` says; `byName` takes announced host names, as certificates have them. */
export function mastersIn(text: string, asked: Host, byName: boolean): Master[] {
  const lines = linesOf(text);
  const followed = lines
    .filter(([, , flags = '']) => /\bslave\b/.test(flags) && !flags.split(',').includes('fail'))
    .map(([, , , master]) => master);
  return lines
    .filter(([, , flags = '', , , , , , ...slots]) => /\bmaster\b/.test(flags) && slots.length > 0)
    .map(([id, address = '', flags = '', , , , epoch, , ...slots]) => ({
      host: hostOf(address, asked, byName),
      epoch: Number(epoch),
      slots: slotsIn(slots),
      failed: FLAGGED.test(flags),
      replicas: followed.filter((master) => master === id).length,
    }));
}

/** Where each server in it is reached, by what redirections may name: its IP address or its host name, with the port. */
export function reachedIn(text: string, asked: Host, byName: boolean): [named: string, at: Host][] {
  return linesOf(text).flatMap(([, address = '']) => {
    const at = hostOf(address, asked, byName);
    return [false, true].map((named): [string, Host] => [shownHost(hostOf(address, asked, named)), at]);
  });
}
