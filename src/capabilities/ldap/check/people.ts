import { type Client, FilterParser } from 'ldapts';
import { close, connect } from '../connection.ts';
import { DirectoryEntry } from '../entry.ts';
import { filled, forAnyName } from '../filters.ts';
import type { DirectoryOptions } from '../options.ts';
import { personAttributes, personOf } from '../person.ts';
import { BYTES } from '../subject.ts';
import { accountFault, searchFault } from './faults.ts';
import { type CheckStep, runSteps, StepFault, type StepToRun, type Wrong } from './steps.ts';

/** The most entries that the filter for users is tried on, and how many of them the step names. */
const SOME = 100;
const NAMED = 3;

/** Searches one server as the account of the settings. It knows the bases that the server announces. */
export class AccountSearch {
  readonly #client: Client;
  readonly #options: DirectoryOptions;
  readonly #contexts: readonly string[];

  private constructor(client: Client, options: DirectoryOptions, contexts: readonly string[]) {
    this.#client = client;
    this.#options = options;
    this.#contexts = contexts;
  }

  static async open(url: string, options: DirectoryOptions): Promise<AccountSearch> {
    const { bindDn, bindPassword } = options;
    const client = await connect({ ...options, url });
    try {
      if (bindDn !== '') await client.bind(bindDn, bindPassword?.() ?? '');
      const { searchEntries } = await client.search('', { scope: 'base', attributes: ['namingContexts'] });
      const contexts = searchEntries.flatMap((entry) => new DirectoryEntry(entry).all('namingContexts'));
      return new AccountSearch(client, options, contexts);
    } catch (error) {
      close(client);
      throw accountFault(error as Error, bindDn);
    }
  }

  /** The entries that match, at most `most`, with the attributes of people. `setting` names the base in faults. */
  async find(
    { base, setting, scope = 'sub' }: SearchBase,
    filter: string,
    most: number,
  ): Promise<readonly DirectoryEntry[]> {
    try {
      const { searchEntries } = await this.#client.search(base, {
        scope,
        filter,
        sizeLimit: most,
        attributes: personAttributes(this.#options.attributes),
        explicitBufferAttributes: BYTES,
      });
      return searchEntries.map((entry) => new DirectoryEntry(entry));
    } catch (error) {
      throw searchFault(error as Error, base, setting, this.#contexts);
    }
  }

  close(): void {
    close(this.#client);
  }
}

/** A base of searches, and the setting that names it. */
interface SearchBase {
  readonly base: string;
  readonly setting: string;
  readonly scope?: 'base' | 'sub';
}

async function baseExists(search: AccountSearch, { base, setting }: SearchBase): Promise<string> {
  const found = await search.find({ base, setting, scope: 'base' }, '(objectClass=*)', 1);
  return found.length === 0 ? `${base} can be searched` : `${base} is there`;
}

/** Why this text of a setting is no filter, as a fault. */
function readFilter(filter: string, setting: string): void {
  try {
    FilterParser.parseString(filter);
  } catch (error) {
    throw new StepFault(`"${filter}" is no filter: ${(error as Error).message}. Mend ${setting}.`);
  }
}

/** What the filter for users finds with any name. */
async function usersFound(
  search: AccountSearch,
  base: SearchBase,
  options: DirectoryOptions,
): Promise<string | Wrong> {
  const { userFilter, attributes } = options;
  readFilter(userFilter, 'TESSERA_LDAP_USER_FILTER');
  const entries = await search.find(base, forAnyName(userFilter), SOME);
  if (entries.length === 0)
    throw new StepFault(
      `The filter ${forAnyName(userFilter)} finds no entry below ${base.base}: check TESSERA_LDAP_USER_FILTER and TESSERA_LDAP_USER_BASE, and whether the account may read there.`,
    );
  const people = entries.flatMap((entry) => personOf(entry, attributes, Date.now()) ?? []);
  const bare = entries.length - people.length;
  if (bare > 0)
    return {
      wrong: `${bare} of ${entries.length} entries have no ${attributes.name} or no ${attributes.subject} that the account may read, such as ${entries.find((entry) => personOf(entry, attributes, 0) === undefined)?.dn}: these people cannot log in. Check the attributes in the settings, and the rights of the account.`,
    };
  const names = people.slice(0, NAMED).map(({ name }) => name);
  const count = entries.length < SOME ? `${entries.length}` : `${SOME} or more`;
  return `the filter finds ${count}: ${names.join(', ')}${people.length > NAMED ? ' …' : ''}`;
}

/** Checks the bases and filters of the settings on one server. */
export function checkSearches(
  search: AccountSearch,
  options: DirectoryOptions,
): AsyncGenerator<CheckStep, boolean> {
  const { userBase, groupBase, groupFilter } = options;
  const users = { base: userBase, setting: 'TESSERA_LDAP_USER_BASE' };
  const groups = { base: groupBase, setting: 'TESSERA_LDAP_GROUP_BASE' };
  const steps: StepToRun[] = [
    ['user base', () => baseExists(search, users)],
    ['users', () => usersFound(search, users, options)],
  ];
  if (groupBase !== '')
    steps.push([
      'group base',
      async () => {
        readFilter(groupFilter, 'TESSERA_LDAP_GROUP_FILTER');
        return baseExists(search, groups);
      },
    ]);
  return runSteps(steps);
}

/** The entries that the filter for users finds with this name: there should be one. */
export async function entryOf(
  search: AccountSearch,
  options: DirectoryOptions,
  name: string,
): Promise<DirectoryEntry> {
  const { userBase, userFilter } = options;
  const filter = filled(userFilter, { name, dn: '' });
  const found = await search.find({ base: userBase, setting: 'TESSERA_LDAP_USER_BASE' }, filter, SOME);
  const [entry, another] = found;
  if (entry === undefined)
    throw new StepFault(
      `The filter ${filter} finds no entry below ${userBase}: check the name, TESSERA_LDAP_USER_FILTER and TESSERA_LDAP_USER_BASE.`,
    );
  if (another !== undefined)
    throw new StepFault(
      `The filter finds ${found.length} entries, so no one can log in with this name: ${found.map(({ dn }) => dn).join('; ')}. Make TESSERA_LDAP_USER_FILTER narrower, or mend the directory.`,
    );
  return entry;
}
