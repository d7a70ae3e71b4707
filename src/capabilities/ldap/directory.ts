import { randomBytes } from 'node:crypto';
import { AndFilter, FilterParser, OrFilter } from 'ldapts';
import type { BindOutcome } from './bind.ts';
import { anyOf, filled, forAnyName } from './filters.ts';
import type { DirectoryOptions } from './options.ts';
import type { PasswordWrite, PasswordWriteOutcome } from './password-write.ts';
import { type DirectoryPerson, personAttributes, personOf } from './person.ts';
import { DirectoryServers } from './servers.ts';
import { filterOfSubject } from './subject.ts';

/** How deep nested groups are followed, and how many groups a person may have. Beyond that none of them is used. */
const DEEPEST = 20;
const MOST_GROUPS = 1_000;
/** How many groups one search asks about. */
const GROUPS_AT_ONCE = 50;

/** Active Directory's rule that finds nested groups in one search (LDAP_MATCHING_RULE_IN_CHAIN). */
const IN_CHAIN = '1.2.840.113556.1.4.1941';

/** A group: its entry and its name. */
interface FoundGroup {
  readonly dn: string;
  readonly name: string | undefined;
}

/** A member of groups. */
interface MemberOfGroups {
  readonly dn: string;
  readonly name: string;
}

type GroupOptions = Pick<DirectoryOptions, 'groupBase' | 'groupFilter' | 'nestedGroups' | 'attributes'>;

/** Whether the groups above are searched for: not if the filter finds them itself, or asks for names. */
const walks = ({ nestedGroups, groupFilter }: GroupOptions) =>
  nestedGroups && groupFilter.includes('{dn}') && !groupFilter.includes(IN_CHAIN);

/**
 * The names of the groups that contain the person, directly and by nested groups. Undefined if the settings name no groups,
 * or if the server does not give all: half of the groups is worse than those known before. Throws `DirectoryUnavailable`.
 */
async function groupsOf(
  servers: DirectoryServers,
  options: GroupOptions,
  person: MemberOfGroups,
): Promise<readonly string[] | undefined> {
  if (options.groupBase === '') return undefined;
  const found = new Map<string, FoundGroup>();
  let members: readonly MemberOfGroups[] = [person];
  for (let depth = 0; members.length > 0; depth += 1) {
    const containing = await containingAny(servers, options, members);
    if (containing === undefined || depth > DEEPEST) return undefined;
    const further = containing.filter(({ dn }) => !found.has(dn));
    for (const group of further) found.set(group.dn, group);
    if (found.size > MOST_GROUPS) return undefined;
    members = walks(options) ? further.map(({ dn }) => ({ dn, name: '' })) : [];
  }
  const names = [...found.values()].map(({ name }) => name).filter((name) => name !== undefined);
  return [...new Set(names)];
}

/** The groups that the filter for groups finds for these members. */
async function containingAny(
  servers: DirectoryServers,
  { groupBase, groupFilter, attributes }: GroupOptions,
  members: readonly MemberOfGroups[],
): Promise<readonly FoundGroup[] | undefined> {
  const groups: FoundGroup[] = [];
  for (let from = 0; from < members.length; from += GROUPS_AT_ONCE) {
    const filter = anyOf(
      members.slice(from, from + GROUPS_AT_ONCE).map((member) => filled(groupFilter, member)),
    );
    const search = { base: groupBase, filter, attributes: [attributes.group] };
    const { entries, complete } = await servers.search(search);
    if (!complete || groups.length + entries.length > MOST_GROUPS) return undefined;
    groups.push(...entries.map((entry) => ({ dn: entry.dn, name: entry.first(attributes.group) })));
  }
  return groups;
}

/** The answer about a name: a person, or why there is none. */
export type FoundPerson =
  | { readonly person: DirectoryPerson }
  | { readonly person: undefined; readonly why: 'unknown' | 'several entries' | 'no subject' };

/** How many people one search asks about. */
const PEOPLE_AT_ONCE = 200;
/** One more than may be found, so that it shows if there are several. */
const TWO = 2;

/**
 * The directory. Its methods throw `DirectoryUnavailable` if no server can answer. It follows no referral: an answer of
 * another server would have to be trusted, with the same password sent there.
 */
export class Directory {
  readonly #options: DirectoryOptions;
  readonly #servers: DirectoryServers;
  readonly #clock: () => number;

  /** `clock` gives epoch milliseconds. */
  constructor(options: DirectoryOptions, clock: () => number) {
    this.#options = options;
    this.#servers = new DirectoryServers(options);
    this.#clock = clock;
  }

  /** Finds the person of a name as it was typed. */
  async find(name: string): Promise<FoundPerson> {
    const { userBase, userFilter, attributes } = this.#options;
    const { entries, complete } = await this.#servers.search({
      base: userBase,
      filter: filled(userFilter, { name, dn: '' }),
      attributes: personAttributes(attributes),
      most: TWO,
    });
    const [entry, another] = entries;
    if (another !== undefined || !complete) return { person: undefined, why: 'several entries' };
    if (entry === undefined) return { person: undefined, why: 'unknown' };
    const person = personOf(entry, attributes, this.#clock());
    return person === undefined ? { person, why: 'no subject' } : { person };
  }

  /** Checks the password of a person. */
  checkPassword({ dn }: Pick<DirectoryPerson, 'dn'>, password: string): Promise<BindOutcome> {
    return this.#servers.bind(dn, password);
  }

  /** Writes the password of the person with this subject. Throws `OutcomeUnknown` as well. */
  async setPassword(subject: string, write: Omit<PasswordWrite, 'dn'>): Promise<PasswordWriteOutcome> {
    const person = (await this.ofSubjects([subject])).get(subject);
    if (person === undefined || person.state === 'disabled' || person.state === 'expired')
      return { written: false, why: 'notAllowed', answer: person?.state ?? 'no entry' };
    return this.#servers.setPassword({ dn: person.dn, ...write });
  }

  /** Binds as an entry that does not exist: the work of a wrong password, which no account counts. */
  async imitatePasswordCheck(): Promise<void> {
    const { userBase, attributes } = this.#options;
    const random = () => randomBytes(9).toString('hex');
    await this.#servers.bind(`${attributes.name}=${random()},${userBase}`, random());
  }

  /**
   * The names of the groups of a person, by nested groups too. Undefined if the settings name no groups, or if the directory
   * does not give all.
   */
  async groupsOf(person: Pick<DirectoryPerson, 'dn' | 'name'>): Promise<readonly string[] | undefined> {
    const names = await groupsOf(this.#servers, this.#options, person);
    return names?.map((name) => this.#options.groupPrefix + name);
  }

  /** The people with these subjects, by subject. Those whom the filter for users does not find are missing. */
  async ofSubjects(subjects: readonly string[]): Promise<ReadonlyMap<string, DirectoryPerson>> {
    const { userBase, userFilter, attributes } = this.#options;
    const found = new Map<string, DirectoryPerson>();
    for (let from = 0; from < subjects.length; from += PEOPLE_AT_ONCE) {
      const some = subjects.slice(from, from + PEOPLE_AT_ONCE);
      const ids = some.map((subject) => filterOfSubject(subject, attributes.subject));
      const filters = [FilterParser.parseString(forAnyName(userFilter)), new OrFilter({ filters: ids })];
      const { entries, complete } = await this.#servers.search({
        base: userBase,
        filter: new AndFilter({ filters }),
        attributes: personAttributes(attributes),
      });
      if (!complete)
        throw new Error(
          `the directory gives fewer than ${some.length} entries at once: raise its size limit`,
        );
      for (const entry of entries) {
        const person = personOf(entry, attributes, this.#clock());
        if (person !== undefined) found.set(person.subject, person);
      }
    }
    return found;
  }

  close(): void {
    this.#servers.close();
  }
}
