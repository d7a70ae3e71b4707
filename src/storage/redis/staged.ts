import type { Digest, KeptTicket } from '../../domain/ticket.ts';
import type { CounterKey } from '../store.ts';
import type { NamedCounter } from './counters.ts';

/** What a unit has done to a ticket. */
export interface StagedTicket {
  readonly fate: 'issued' | 'ended';
  readonly ticket: KeptTicket;
}

/** What a unit has written to Redis so far: nothing of it is there before the unit's work is done. */
export class Staged {
  tickets = new Map<Digest, StagedTicket>();
  /** When tickets were used. */
  uses = new Map<Digest, number>();
  counters = new Map<CounterKey, NamedCounter | undefined>();
  /** Users whose tickets come under another rule. */
  users = new Set<number>();
  raises = false;
  trim: { readonly most: number; readonly now: number } | undefined;

  /** What is staged now, to come back to with {@link restore}. */
  mark(): Staged {
    const mark = new Staged();
    mark.restore(this);
    return mark;
  }

  restore({ tickets, uses, counters, users, raises, trim }: Staged): void {
    this.tickets = new Map(tickets);
    this.uses = new Map(uses);
    this.counters = new Map(counters);
    this.users = new Set(users);
    this.raises = raises;
    this.trim = trim;
  }
}
