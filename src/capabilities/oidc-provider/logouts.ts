import type Provider from 'oidc-provider';
import { type Digest, digestFrom } from '../../core/domain/ticket.ts';
import { userKey } from '../../core/domain/user.ts';
import type { ReadUnit } from '../../core/storage/store.ts';
import type { EventReceiver, OpeningParts } from '../capability.ts';
import type { AdapterParts } from './adapter.ts';
import { sessionIdOf } from './identifiers.ts';
import { createProvider, logoutTeller } from './provider.ts';
import { protocolParts } from './running.ts';
import { ENDED_GRANT, NOBODY, type ProviderEntry } from './tables/entries.ts';

/** How many grants are looked at in one unit. */
const PAGE = 500;

/** The address is one that an administrator registered, so it may be in a private network. */
async function send(url: string | URL | Request, { dispatcher: _, ...options }: RequestInit = {}) {
  const response = await fetch(url, options);
  await response.body?.cancel();
  return response;
}

type UserEvent = Parameters<EventReceiver['receive']>[0];

/**
 * Tells applications that tickets, or their grants, have ended (OpenID Connect Back-Channel Logout 1.0). A grant
 * stays until its application was told, and is removed then. So each delivery makes its own token, and the store holds none.
 */
export class LogoutNotices {
  readonly #namesCaseSensitive: boolean;
  readonly #parts: AdapterParts;
  readonly #provider: () => Promise<Provider>;
  /** The keys of the grants that are being told of: two events may be about one ticket. */
  readonly #telling = new Set<string>();

  constructor(parts: OpeningParts) {
    this.#namesCaseSensitive = parts.settings.namesCaseSensitive;
    this.#parts = protocolParts(parts);
    this.#provider = this.#parts.keys.with((keys) => createProvider(this.#parts, keys, send));
  }

  /** Tells these applications of what ended with an event. Returns which did not take it, and why. */
  async tell(event: UserEvent, applications: readonly string[]): Promise<string | undefined> {
    const faults = new Set<string>();
    for await (const entries of event.user === undefined ? this.#ofAll(applications) : this.#ofUser(event))
      for (const fault of await Promise.all(entries.map((entry) => this.#tellOf(entry))))
        if (fault !== undefined) faults.add(fault);
    return faults.size === 0 ? undefined : [...faults].join('; ');
  }

  async *#ofUser({ user: name = '', kind }: UserEvent): AsyncGenerator<readonly ProviderEntry[]> {
    const key = userKey(name, this.#namesCaseSensitive);
    yield await this.#parts.units.read(async (unit) => {
      const { users, providerEntries: entries } = unit;
      // Another user may have the name of a removed one.
      const { id = NOBODY } = (kind === 'user-removed' ? undefined : await users.findByKey(key)) ?? {};
      const [grants, untold] = [await entries.ofUser(id, 'Grant'), await entries.ofUser(id, ENDED_GRANT)];
      return [...(await this.#ended(unit, grants)), ...untold];
    });
  }

  /** The tickets of all users may have ended at once. */
  async *#ofAll(applications: readonly string[]): AsyncGenerator<readonly ProviderEntry[]> {
    for (const client of applications)
      for (let after: Buffer | undefined = Buffer.alloc(0); after !== undefined; ) {
        const last: Buffer = after;
        const page = await this.#parts.units.read((unit) =>
          unit.providerEntries.ofClient(client, 'Grant', last, PAGE),
        );
        yield await this.#parts.units.read((unit) => this.#ended(unit, page));
        after = page.length < PAGE ? undefined : page.at(-1)?.digest;
      }
  }

  async #ended(unit: ReadUnit, grants: readonly ProviderEntry[]): Promise<ProviderEntry[]> {
    const isEnded = ({ ticketDigest }: ProviderEntry) =>
      ticketDigest !== undefined && this.#parts.tickets.hasEnded(unit, digestFrom(ticketDigest));
    const ended = await Promise.all(grants.map(isEnded));
    return grants.filter((_, at) => ended[at]);
  }

  /** Tells the application of a grant, if it wants to know, and removes the grant. Returns why it did not take the token. */
  async #tellOf({ client = '', ticketDigest, digest, payload }: ProviderEntry): Promise<string | undefined> {
    const ticket: Digest = digestFrom(ticketDigest as Buffer);
    const key = digest.toString('hex');
    if (this.#telling.has(key)) return undefined;
    this.#telling.add(key);
    try {
      const [isUntold, application] = await this.#parts.units.read(({ providerEntries, applications }) =>
        Promise.all([providerEntries.find(digest), applications.find(client)]),
      );
      if (isUntold === undefined) return undefined;
      const wants = application?.settings.backchannelLogoutUri !== undefined;
      const teller = wants ? await logoutTeller(await this.#provider(), client) : undefined;
      await teller?.tellLogout(JSON.parse(payload).accountId, sessionIdOf(ticket, client));
      await this.#parts.units.write(async ({ providerEntries }) => {
        await providerEntries.removeOfGrant(digest);
        await providerEntries.remove(digest);
      });
      return undefined;
    } catch (error) {
      const { message, cause } = error as Error;
      return `${client}: ${cause instanceof Error ? cause.message : message}`;
    } finally {
      this.#telling.delete(key);
    }
  }
}
