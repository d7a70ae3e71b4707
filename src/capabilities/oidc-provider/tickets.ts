import { isRefusal, type Refusal } from '../../core/domain/refusal.ts';
import { type RequestClient, requestOriginOf } from '../../core/domain/request-origin.ts';
import {
  type AuthenticationMethod,
  type Digest,
  type HeldTicket,
  provesTwoFactors,
  shortDigest,
  stateOf,
  type Ticket,
} from '../../core/domain/ticket.ts';
import { isProgramTicket } from '../../core/gate/program-ticket.ts';
import { findLive, issueTicket, type TicketRules } from '../../core/gate/tickets.ts';
import type { Verified } from '../../core/identity/passwords.ts';
import type { ReadUnit, WriteUnit } from '../../core/storage/store.ts';
import type { OpeningParts } from '../capability.ts';
import { subjectOf } from './identifiers.ts';
import type { ProtocolUnits } from './units.ts';

/** Two factors, as the profile of REFEDS defines it, which other providers and applications know. */
export const MULTI_FACTOR = 'https://refeds.org/profile/mfa';
/** One factor that this service has checked. */
export const SINGLE_FACTOR = 'https://refeds.org/profile/sfa';

/** What tokens say of a sign-in by these methods. A sign-in at an identity provider alone is of no class: the service checked no factor. */
function authenticationContextOf(methods: readonly AuthenticationMethod[] = []) {
  if (provesTwoFactors(methods)) return { acr: MULTI_FACTOR, amr: [...methods, 'mfa'] };
  return {
    acr: methods.includes('pwd') ? SINGLE_FACTOR : undefined,
    amr: methods.length === 0 ? undefined : [...methods],
  };
}

interface TicketParts extends Pick<OpeningParts, 'bookkeeping' | 'ticketRules'> {
  readonly units: ProtocolUnits;
}

/** The ticket of this digest, if it is live now. */
export async function liveTicket(
  { tickets }: Pick<ReadUnit, 'tickets'>,
  digest: Digest,
  { clock, lifetime }: Pick<TicketRules, 'clock' | 'lifetime'>,
): Promise<HeldTicket | undefined> {
  const isLive = (held: HeldTicket) => stateOf(held, clock(), lifetime) === 'valid';
  const held = await tickets.find(digest, isLive);
  return held !== undefined && isLive(held) ? held : undefined;
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

  findLive(unit: Pick<ReadUnit, 'tickets'>, digest: Digest): Promise<HeldTicket | undefined> {
    return liveTicket(unit, digest, this.#parts.ticketRules);
  }

  /** Whether the ticket has ended for good: a lock alone lets it wait. */
  async hasEnded({ tickets }: Pick<ReadUnit, 'tickets'>, digest: Digest): Promise<boolean> {
    const { clock, lifetime } = this.#parts.ticketRules;
    const held = await tickets.find(digest);
    return held === undefined || /^(?:invalid|expired)$/.test(stateOf(held, clock(), lifetime));
  }

  /** What a ticket tells of a session, as tokens tell it. */
  async sessionOf({ users, tickets }: ReadUnit, { ticket, user }: HeldTicket) {
    const [origin] = await tickets.originsOf([ticket]);
    return {
      ...authenticationContextOf(origin?.methods),
      accountId: subjectOf(await users.databaseId(), user.id),
      loginTs: Math.floor(ticket.issuedAt / 1_000),
    };
  }

  /**
   * Issues a ticket of its own to a sign-in at this application that outlives that of the browser: of a device, or one that the user
   * need not be there for. It is listed and ended like any other, and opens neither pages nor administration.
   */
  issueFor(held: HeldTicket, application: string, client: RequestClient): Promise<Digest | undefined> {
    return this.#parts.units.write(async (unit) => {
      const user = await unit.users.find(held.user.id);
      if (user === undefined) return undefined;
      const { id: userId, generation, passwordHash } = user;
      const [browserOrigin] = await unit.tickets.originsOf([held.ticket]);
      const methods = browserOrigin?.methods ?? [];
      const verified = { userId, generation, passwordHash, application, methods };
      return this.#issue(unit, verified, client, `application ${application}`);
    });
  }

  subjectOf(userId: number): Promise<string> {
    return this.#parts.units.read(async ({ users }) => subjectOf(await users.databaseId(), userId));
  }

  /** Issues a ticket to the user of an app password, which counted a moment ago; undefined if it does not count any more. */
  issueTo(verified: Verified, client: RequestClient): Promise<Digest | undefined> {
    const reason = `app password ${verified.appPassword}`;
    return this.#parts.units.write((unit) => this.#issue(unit, verified, client, reason));
  }

  /** Issues a ticket, with the event of a login; undefined if the user gets none. */
  async #issue(unit: WriteUnit, verified: Verified, client: RequestClient, reason: string) {
    const { ticketRules } = this.#parts;
    const outcome = await issueTicket(unit, verified, ticketRules, client);
    if (isRefusal(outcome) || outcome.issued === undefined) return undefined;
    const { user, ticket } = outcome.issued;
    const about = { user: user.name, digest: shortDigest(ticket.digest), reason };
    const at = ticketRules.clock();
    await unit.events.append({ at, kind: 'login', ...requestOriginOf(client), ...about });
    return ticket.digest;
  }

  /** Counts a name and a password that were refused, as every login does. */
  noteRefused({ user, reason }: Refusal, client: RequestClient): void {
    const at = this.#parts.ticketRules.clock();
    this.#parts.bookkeeping.tally({ at, kind: 'login-refused', user, reason, ...requestOriginOf(client) });
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
