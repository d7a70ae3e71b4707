import { blockOf, SITE } from '../domain/address-block.ts';
import { type Event, minuteOf } from '../domain/event.ts';

/** The most rows of one minute with a user and an address. */
const MOST_ROWS = 1_000;
/** The most rows of one minute with a network, beyond them. */
const MOST_NETWORKS = 500;

/**
 * Bounds how many rows counted refusals make in a minute, whatever names and addresses they come with. Beyond the bound
 * they count for their network (an IPv6 /48, an IPv4 /24), and beyond a second bound only for their kind and reason.
 */
export class RowLimiter {
  #minute = Number.NEGATIVE_INFINITY;
  readonly #rows = new Set<string>();
  readonly #networks = new Set<string>();

  /** The event as which this one is counted. */
  rowOf(event: Event): Event {
    const { at, kind, user, from, reason } = event;
    const minute = minuteOf(at);
    // Not when it steps back: a clock that jumps to and fro would lift the bound.
    if (minute > this.#minute) {
      this.#minute = minute;
      this.#rows.clear();
      this.#networks.clear();
    }
    if (admit(this.#rows, MOST_ROWS, [kind, user, from, reason, minute])) return event;
    const network = from && blockOf(from, SITE);
    if (admit(this.#networks, MOST_NETWORKS, [kind, network, reason, minute]))
      return { at, kind, from: network, reason };
    return { at, kind, reason };
  }
}

/** Whether the row is among those known, of which there are `most`. */
function admit(known: Set<string>, most: number, row: readonly unknown[]): boolean {
  const key = row.join('\0');
  if (known.has(key)) return true;
  if (known.size >= most) return false;
  known.add(key);
  return true;
}
