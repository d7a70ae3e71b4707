import { type Client, type Filter, ResultCodeError, type SearchOptions } from 'ldapts';
import { type BindOutcome, bindOn } from './bind.ts';
import { close, connect, faultOf, IdleConnections, isTimeout, ServerFault } from './connection.ts';
import { DirectoryEntry } from './entry.ts';
import type { DirectoryOptions } from './options.ts';
import {
  type PasswordWrite,
  type PasswordWriteOutcome,
  waiveChange,
  writePassword,
} from './password-write.ts';
import { BYTES } from './subject.ts';

/** A search below a base. */
export interface DirectorySearch {
  readonly base: string;
  readonly filter: string | Filter;
  readonly attributes: readonly string[];
  /** The most entries to ask for; missing: all. */
  readonly most?: number;
}

/** What a search found. */
export interface SearchAnswer {
  readonly entries: readonly DirectoryEntry[];
  /** Whether the server gave all entries that match; not if it has a limit that they exceed. */
  readonly complete: boolean;
}

/** Controls that a server may know: the password policy, and results in pages (RFC 2696). */
const POLICY = '1.3.6.1.4.1.42.2.27.8.5.1';
const PAGES = '1.2.840.113556.1.4.319';
/** The capability by which Active Directory tells what it is (MS-ADTS 3.1.1.3.4.3). */
const ACTIVE_DIRECTORY = '1.2.840.113556.1.4.800';
/** Active Directory gives no more than 1,000 entries at once. */
const PAGE_SIZE = 500;

/** The result codes of a search that was cut: size limit and administrative limit. */
const CUT = new Set([4, 11]);
const INVALID_CREDENTIALS = 49;
/** No such object, and insufficient access rights. */
const UNSEEN = new Set([32, 50]);

/** What a server says that it can do. */
interface ServerAbilities {
  readonly controls: ReadonlySet<string>;
  readonly extensions: ReadonlySet<string>;
  readonly isActiveDirectory: boolean;
}

/** The connection of the account that searches. */
interface AccountConnection extends ServerAbilities {
  readonly client: Client;
}

/** What the server says of itself (RFC 4512, section 5.1), if the account may see that. Otherwise it has no controls. */
export async function abilitiesOf(
  client: Client,
  { kind }: Pick<DirectoryOptions, 'kind'>,
): Promise<ServerAbilities> {
  const isSaid = kind === 'active-directory';
  try {
    const attributes = ['supportedControl', 'supportedExtension', 'supportedCapabilities'];
    const { searchEntries } = await client.search('', { scope: 'base', attributes });
    const [root] = searchEntries.map((entry) => new DirectoryEntry(entry));
    return {
      controls: new Set(root?.all('supportedControl')),
      extensions: new Set(root?.all('supportedExtension')),
      isActiveDirectory: isSaid || root?.all('supportedCapabilities').includes(ACTIVE_DIRECTORY) === true,
    };
  } catch (error) {
    if (!(error instanceof ResultCodeError)) throw error;
    return { controls: new Set(), extensions: new Set(), isActiveDirectory: isSaid };
  }
}

/** Why a new password is not sent. No fault of the server, which answers all else. */
const OVER_TLS_ONLY = 'Active Directory takes a new password over TLS only: use ldaps, or StartTLS';

/** One server of the directory. Its methods throw {@link ServerFault} if it cannot answer. */
export class DirectoryServer {
  readonly url: string;
  readonly #options: DirectoryOptions;
  /** Kept for all searches: it carries several at a time. */
  #account: Promise<AccountConnection> | undefined;
  readonly #idle = new IdleConnections();
  #closed = false;

  constructor(url: string, options: DirectoryOptions) {
    this.url = url;
    this.#options = options;
  }

  async search(search: DirectorySearch): Promise<SearchAnswer> {
    const lease = await this.#connection();
    try {
      return await this.#searchOn(lease.connection, search);
    } catch (error) {
      // A server may have closed an idle connection. Only the next request shows it.
      const isAnswer = error instanceof ServerFault || error instanceof ResultCodeError;
      if (!lease.isReused || isAnswer || isTimeout(error)) throw faultOf(error);
      const { connection } = await this.#connection();
      return await this.#searchOn(connection, search).catch((fault: unknown) => {
        throw faultOf(fault);
      });
    }
  }

  /** Binds as a person, on a connection of its own, which may have served another bind before. */
  async bind(dn: string, password: string): Promise<BindOutcome> {
    const { connection } = await this.#connection();
    const bind = async (client: Client) => {
      let isAccepted = false;
      try {
        const outcome = await bindOn(client, dn, password, connection.controls.has(POLICY));
        isAccepted = outcome.accepted;
        return outcome;
      } finally {
        if (isAccepted) this.#keep(client);
        else close(client);
      }
    };
    const idle = this.#idle.take();
    try {
      if (idle !== undefined) return await bind(idle);
    } catch (error) {
      // The server may have closed the idle connection. Only the next request shows it.
      const { cause } = error as ServerFault;
      if (cause instanceof ResultCodeError || isTimeout(cause)) throw error;
    }
    return bind(await connect({ ...this.#options, url: this.url }));
  }

  /**
   * Writes the password of a person, on a connection of its own that is bound as the person by the old one: so the rules of the directory
   * hold. Active Directory refuses the bind of a person who has to change the password: there the account that searches sends both passwords.
   */
  async setPassword(write: PasswordWrite): Promise<PasswordWriteOutcome> {
    const { connection } = await this.#connection();
    const { isActiveDirectory, controls } = connection;
    if (isActiveDirectory && !this.url.startsWith('ldaps:') && !this.#options.startTls)
      return { written: false, why: 'notAllowed', answer: OVER_TLS_ONLY };
    const client = await connect({ ...this.#options, url: this.url });
    try {
      const policy = controls.has(POLICY);
      const refused = await this.#bindFor(client, write, policy);
      if (refused !== undefined) return refused;
      const outcome = await writePassword(client, write, { isActiveDirectory, policy });
      if (outcome.written && write.oldPassword === undefined && policy) await waiveChange(client, write.dn);
      return outcome;
    } finally {
      close(client);
    }
  }

  /** Binds as the person whose password changes, or as the account. Returns why that is refused. */
  async #bindFor(client: Client, { dn, oldPassword }: PasswordWrite, policy: boolean) {
    const bound = oldPassword === undefined ? undefined : await bindOn(client, dn, oldPassword, policy);
    if (bound?.accepted === false && !bound.mustChange)
      return { written: false, why: 'oldPassword', answer: bound.reason ?? 'wrong-password' } as const;
    // A refused bind leaves the connection without a user.
    if (client.isBound) return undefined;
    await this.#bindAccount(client).catch((error: unknown) => {
      throw faultOf(error);
    });
    return undefined;
  }

  /** Keeps a connection for the next bind. One that was upgraded is not kept: if it broke, the library would connect anew without TLS. */
  #keep(client: Client): void {
    if (this.#closed || this.#options.startTls) close(client);
    else this.#idle.put(client);
  }

  close(): void {
    this.#closed = true;
    this.#idle.close();
    this.#account?.then(({ client }) => close(client)).catch(() => undefined);
    this.#account = undefined;
  }

  async #searchOn(
    { client, controls }: AccountConnection,
    { base, filter, attributes, most }: DirectorySearch,
  ): Promise<SearchAnswer> {
    const pages = most === undefined && controls.has(PAGES);
    const options: SearchOptions = {
      scope: 'sub',
      filter,
      attributes: [...attributes],
      explicitBufferAttributes: BYTES,
      timeLimit: Math.ceil(this.#options.deadline / 1_000),
      ...(most === undefined ? {} : { sizeLimit: most }),
      ...(pages ? { paged: { pageSize: PAGE_SIZE } } : {}),
    };
    try {
      const { searchEntries } = await client.search(base, options);
      return { entries: searchEntries.map((entry) => new DirectoryEntry(entry)), complete: true };
    } catch (error) {
      if (!(error instanceof ResultCodeError)) throw error;
      if (CUT.has(error.code)) return { entries: [], complete: false };
      if (UNSEEN.has(error.code))
        throw new ServerFault(`there is no entry "${base}", or the account may not see it`, { cause: error });
      throw error;
    }
  }

  /** The account's connection: the kept one, or a new one that is bound and knows the server's controls. */
  async #connection(): Promise<{ readonly connection: AccountConnection; readonly isReused: boolean }> {
    const before = this.#account;
    const pooled = await before?.catch(() => undefined);
    if (pooled !== undefined && this.#isAlive(pooled)) return { connection: pooled, isReused: true };
    if (pooled !== undefined) {
      close(pooled.client);
      // What broke it has probably broken the others.
      this.#idle.close();
    }
    // Another request may have opened one while this one waited.
    const opening = this.#account !== undefined && this.#account !== before ? this.#account : this.#open();
    this.#account = opening;
    try {
      return { connection: await opening, isReused: false };
    } catch (error) {
      throw faultOf(error);
    }
  }

  #isAlive({ client }: AccountConnection): boolean {
    return this.#options.bindDn === '' ? client.isConnected : client.isBound;
  }

  async #open(): Promise<AccountConnection> {
    const { bindDn } = this.#options;
    const client = await connect({ ...this.#options, url: this.url });
    try {
      if (bindDn !== '') await this.#bindAccount(client);
      return { client, ...(await abilitiesOf(client, this.#options)) };
    } catch (error) {
      close(client);
      throw error;
    }
  }

  async #bindAccount(client: Client): Promise<void> {
    const { bindDn, bindPassword } = this.#options;
    const password = bindPassword?.() ?? '';
    // A bind with an empty password succeeds at some servers, and is anonymous.
    if (password === '')
      throw new ServerFault(`the password of the account "${bindDn}" that searches is empty`);
    try {
      await client.bind(bindDn, password);
    } catch (error) {
      if (!(error instanceof ResultCodeError) || error.code !== INVALID_CREDENTIALS) throw error;
      throw new ServerFault(
        `it refuses the account "${bindDn}" that searches: its password is wrong or expired, or the account is locked`,
        { cause: error },
      );
    }
  }
}
