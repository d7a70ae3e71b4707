import { hash } from 'node:crypto';
import { makeTicket, TICKET_BYTES, type Ticket } from '../../src/core/domain/ticket.ts';

const bytes = (text: string) => hash('sha256', text, 'buffer');

/** The ticket with this number, the same for the store and for the requests. */
export function ticketOf(number: number): Ticket {
  return makeTicket(bytes(`bench ticket ${number}`).subarray(0, TICKET_BYTES));
}

/** A number from 0 to below 1 that depends on the text only. */
const fraction = (text: string) => bytes(text).readUInt32LE() / 2 ** 32;

/** Draws the number of a ticket. Draws with the same `seed` and `at` are equal. */
export type Draw = (seed: string, at: number) => number;

/** Draws every ticket with the same probability. */
export function uniform(tickets: number): Draw {
  return (seed, at) => Math.floor(fraction(`${seed} ${at}`) * tickets);
}

/** Draws by Zipf's law (s = 1) from a working set of at most `most` tickets, spread evenly over all. */
export function zipf(tickets: number, most: number): Draw {
  const size = Math.min(tickets, most);
  const upTo: number[] = [];
  let sum = 0;
  for (let rank = 1; rank <= size; rank += 1) {
    sum += 1 / rank;
    upTo.push(sum);
  }
  const rankOf = (weight: number) => {
    let [low, high] = [0, size - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((upTo[middle] as number) < weight) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return (seed, at) => Math.floor((rankOf(fraction(`${seed} ${at}`) * sum) * tickets) / size);
}
