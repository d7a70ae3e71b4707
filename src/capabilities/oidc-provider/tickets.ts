import { type Digest, type HeldTicket, shortDigest, stateOf, type Ticket } from '../../core/domain/ticket.ts';
import type { Bookkeeping } from '../../core/gate/bookkeeping.ts';
import { isProgramTicket } from '../../core/gate/program-ticket.ts';
import { findLive, type TicketRules } from '../../core/gate/tickets.ts';
import type { ReadUnit, WriteUnit } from '../../core/storage/store.ts';
import { subjectOf } from './identifiers.ts';
import type { ProtocolUnits } from './units.ts';

/** What a ticket tells of a session. */
export interface SessionFacts {
  readonly accountId: string;
  /** When the user signed in, in epoch seconds. */
  readonly loginTs: number;
  readonly acr: string;
  readonly amr: string[];
}

interface TicketParts {
  readonly units: ProtocolUnits;
  readonly bookkeeping: Bookkeeping;
  readonly ticketRules: TicketRules;
}

/** Tickets, as sign-ins at applications hang on them. Every look-up asks the store whether the ticket is live now. */
export class ProviderTickets {
  readonly #parts: TicketParts;

  constructor(parts: TicketParts) {
    this.#parts = parts;
  }

  /** The live ticket of a browser; undefined if it has none, or that of a program. */
  async ofBrowser(ticket: Ticket | undefined): Promise<HeldTicket | undefined> {
    if (ticket === undefined) return undefined;
    return this.#parts.units.read(async (unit) => {
      const found = await findLive(unit, ticket, this.#parts.ticketRules);
      return 'dead' in found || (await isProgramTicket(unit, found.ticket)) ? undefined : found;
    });
  }

  async findLive({ tickets }: Pick<ReadUnit, 'tickets'>, digest: Digest): Promise<HeldTicket | undefined> {
    const { clock, lifetime } = this.#parts.ticketRules;
    const isLive = (held: HeldTicket) => stateOf(held, clock(), lifetime) === 'valid';
    const held = await tickets.find(digest, isLive);
    return held !== undefined && isLive(held) ? held : undefined;
  }

  async sessionOf({ users }: ReadUnit, { ticket, user }: HeldTicket): Promise<SessionFacts> {
    const [databaseId, account] = await Promise.all([users.databaseId(), users.find(user.id)]);
    const hasFactor = account?.hasSecondFactor === true;
    return {
      accountId: subjectOf(databaseId, user.id),
      loginTs: Math.floor(ticket.issuedAt / 1_000),
      acr: hasFactor ? '2' : '1',
      amr: hasFactor ? ['pwd', 'mfa'] : ['pwd'],
    };
  }

  /** Notes a use of the ticket. */
  use(held: HeldTicket): void {
    this.#parts.bookkeeping.used(held, this.#parts.ticketRules.clock());
  }

  /** Ends the ticket, as a log-out does. */
  async end({ tickets, events }: WriteUnit, digest: Digest): Promise<void> {
    const held = await tickets.find(digest);
    if (held === undefined || !(await tickets.end(digest))) return;
    const at = this.#parts.ticketRules.clock();
    await events.append({ at, kind: 'logout', user: held.user.name, digest: shortDigest(digest) });
  }
}
