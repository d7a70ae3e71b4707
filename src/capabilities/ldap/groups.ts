import { anyOf, filled } from './filters.ts';
import type { DirectoryOptions } from './options.ts';
import type { DirectoryServers } from './servers.ts';

/** How deep nested groups are followed, and how many groups a person may have. Beyond that none of them is used. */
const DEEPEST = 20;
const MOST_GROUPS = 1_000;
/** How many groups one search asks about. */
const AT_ONCE = 50;

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
export async function groupsOf(
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
  for (let from = 0; from < members.length; from += AT_ONCE) {
    const filter = anyOf(members.slice(from, from + AT_ONCE).map((member) => filled(groupFilter, member)));
    const search = { base: groupBase, filter, attributes: [attributes.group] };
    const { entries, complete } = await servers.search(search);
    if (!complete || groups.length + entries.length > MOST_GROUPS) return undefined;
    groups.push(...entries.map((entry) => ({ dn: entry.dn, name: entry.first(attributes.group) })));
  }
  return groups;
}
