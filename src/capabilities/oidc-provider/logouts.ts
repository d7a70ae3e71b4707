import type Provider from 'oidc-provider';
import { type Digest, digestFrom } from '../../core/domain/ticket.ts';
import { userKey } from '../../core/domain/user.ts';
import type { ReadUnit } from '../../core/storage/store.ts';
import type { EventReceiver, OpeningParts } from '../capability.ts';
import { sessionIdOf } from './identifiers.ts';
import { createProvider, logoutTeller } from './provider.ts';
import { KeyRing } from './signing-keys.ts';
import type { ProviderEntry } from './tables/entries.ts';
import { ProviderTickets } from './tickets.ts';
import { ProtocolUnits } from './units.ts';
import { views } from './views.ts';

/** How many grants are looked at in one unit. */
const PAGE = 500;

/** The address is one that an administrator registered, so it may be in a private network. */
const sending = {
  async fetch(url: string | URL | Request, { dispatcher: _, ...options }: RequestInit = {}) {
    const response = await fetch(url, options);
    await response.body?.cancel();
    return response;
  },
};

type UserEvent = Parameters<EventReceiver['receive']>[0];

/**
 * Tells applications that tickets have ended (OpenID Connect Back-Channel Logout 1.0). What remains to be told are the grants of ended
 * tickets: one that is told is removed. So a token is made for each delivery, and none is kept.
 */
export class LogoutNotices {
  readonly #parts: OpeningParts;
  readonly #units: ProtocolUnits;
  readonly #tickets: ProviderTickets;
  readonly #provider: () => Promise<Provider>;

  constructor(parts: OpeningParts) {
    this.#parts = parts;
    const units = new ProtocolUnits(parts);
    const tickets = new ProviderTickets({ ...parts, units });
    const adapterParts = { units, tickets, issuer: parts.settings.issuer, clock: parts.clock };
    this.#units = units;
    this.#tickets = tickets;
    this.#provider = new KeyRing({ ...parts, units }).with((keys) =>
      createProvider(adapterParts, keys, views, sending),
    );
  }

  /** Tells these applications of tickets that ended with an event. Returns which did not take it, and why. */
  async tell({ user }: UserEvent, applications: readonly string[]): Promise<string | undefined> {
    const faults = new Set<string>();
    for await (const entries of user === undefined ? this.#ofAll(applications) : this.#ofUser(user)) {
      const told = entries.filter(({ client = '' }) => applications.includes(client));
      for (const fault of await Promise.all(told.map((entry) => this.#tellOf(entry))))
        if (fault !== undefined) faults.add(fault);
    }
    return faults.size === 0 ? undefined : [...faults].join('; ');
  }

  async *#ofUser(name: string): AsyncGenerator<readonly ProviderEntry[]> {
    const key = userKey(name, this.#parts.settings.namesCaseSensitive);
    yield await this.#units.read(async (unit) => {
      const user = await unit.users.findByKey(key);
      return user === undefined ? [] : this.#ended(unit, await unit.providerEntries.ofUser(user.id, 'Grant'));
    });
  }

  /** The tickets of all users may have ended at once. */
  async *#ofAll(applications: readonly string[]): AsyncGenerator<readonly ProviderEntry[]> {
    for (const client of applications)
      for (let after: Buffer | undefined = Buffer.alloc(0); after !== undefined; ) {
        const last: Buffer = after;
        const page = await this.#units.read((unit) =>
          unit.providerEntries.ofClient(client, 'Grant', last, PAGE),
        );
        yield await this.#units.read((unit) => this.#ended(unit, page));
        after = page.length < PAGE ? undefined : page.at(-1)?.digest;
      }
  }

  async #ended(unit: ReadUnit, grants: readonly ProviderEntry[]): Promise<ProviderEntry[]> {
    const isEnded = ({ ticketDigest }: ProviderEntry) =>
      ticketDigest !== undefined && this.#tickets.hasEnded(unit, digestFrom(ticketDigest));
    const ended = await Promise.all(grants.map(isEnded));
    return grants.filter((_, at) => ended[at]);
  }

  /** Returns why the application did not take the token. */
  async #tellOf({ client = '', ticketDigest, digest, payload }: ProviderEntry): Promise<string | undefined> {
    const ticket: Digest = digestFrom(ticketDigest as Buffer);
    try {
      const teller = await logoutTeller(await this.#provider(), client);
      await teller?.tellLogout(JSON.parse(payload).accountId, sessionIdOf(ticket, client));
      await this.#units.write(({ providerEntries }) => providerEntries.removeOfGrant(digest));
      return undefined;
    } catch (error) {
      const { message, cause } = error as Error;
      return `${client}: ${cause instanceof Error ? cause.message : message}`;
    }
  }
}
