import { PROFILE_FIELDS, type Profile } from '../../core/domain/profile.ts';
import { type AccountState, STATE_ATTRIBUTES, stateOf } from './account-state.ts';
import type { DirectoryEntry } from './entry.ts';
import type { AttributeMap } from './options.ts';
import { askedAs, subjectOf } from './subject.ts';

/** A person as the directory has it. */
export interface DirectoryPerson {
  readonly dn: string;
  /** The identifier of the person that never changes. */
  readonly subject: string;
  readonly name: string;
  readonly state: AccountState;
  /** Each field that the settings map. It is an empty text if the entry has no value. */
  readonly profile: Profile;
}

/** The attributes to ask for. */
export function personAttributes(attributes: AttributeMap): string[] {
  const fields = PROFILE_FIELDS.map((field) => attributes[field]).filter((name) => name !== undefined);
  const names = [attributes.name, attributes.subject, ...fields, ...STATE_ATTRIBUTES].map(askedAs);
  return [...new Set(names)];
}

/** One of several names: the one in the DN of the entry, else the first in the alphabet, since servers give them in any order. */
function nameOf(entry: DirectoryEntry, attribute: string): string | undefined {
  const names = entry
    .all(attribute)
    .filter((name) => name !== '')
    .toSorted();
  const dn = entry.dn.toLowerCase();
  return names.find((name) => dn.startsWith(`${attribute}=${name},`.toLowerCase())) ?? names[0];
}

/** The person of an entry at `now`, in epoch milliseconds. Undefined if the entry has no name or nothing that identifies it. */
export function personOf(
  entry: DirectoryEntry,
  attributes: AttributeMap,
  now: number,
): DirectoryPerson | undefined {
  const subject = subjectOf(entry, attributes.subject);
  const name = nameOf(entry, attributes.name);
  if (subject === undefined || name === undefined) return undefined;
  const profile = PROFILE_FIELDS.flatMap((field) => {
    const attribute = attributes[field];
    return attribute === undefined ? [] : [[field, entry.first(attribute) ?? ''] as const];
  });
  return { dn: entry.dn, subject, name, state: stateOf(entry, now), profile: Object.fromEntries(profile) };
}
