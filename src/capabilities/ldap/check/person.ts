import { PROFILE_FIELDS } from '../../../core/domain/profile.ts';
import type { Directory } from '../directory.ts';
import type { DirectoryEntry } from '../entry.ts';
import type { DirectoryOptions } from '../options.ts';
import { type DirectoryPerson, endSoon, personOf } from '../person.ts';
import { type AccountSearch, entryOf } from './people.ts';
import { type CheckStep, runSteps, StepFault, type StepToRun, type Wrong } from './steps.ts';

/** A person who was found by a check. */
export interface CheckedPerson {
  readonly person: DirectoryPerson;
  /** The names that the directory gives to its groups. */
  readonly groups: readonly string[];
}

/** The person to check. Without a `password` no bind is tried. */
export interface PersonToCheck {
  readonly name: string;
  readonly password: string | undefined;
}

function identityOf({ name, subject }: DirectoryPerson, input: string, attribute: string): string {
  const other = name === input ? '' : `, and not ${input}: the user here gets the name of the directory`;
  return `name ${name}${other}; ${attribute} ${subject}`;
}

function profileText({ profile }: DirectoryPerson, { attributes }: DirectoryOptions): string {
  const mapped = PROFILE_FIELDS.filter((field) => attributes[field] !== undefined);
  const has = mapped.filter((field) => profile[field]).map((field) => `${field} ${profile[field]}`);
  const lacks = mapped.filter((field) => !profile[field]).map((field) => `${field} (${attributes[field]})`);
  const missing = lacks.length === 0 ? '' : `without ${lacks.join(', ')}`;
  return [...has, missing].filter((text) => text !== '').join('; ') || 'no attribute is mapped';
}

const STATES: Readonly<Record<DirectoryPerson['state'], string | Wrong>> = {
  active: 'active',
  disabled: {
    wrong: 'The account is disabled in the directory, so the person cannot log in: enable it there.',
  },
  expired: {
    wrong: 'The account has expired in the directory, so the person cannot log in: prolong it there.',
  },
  locked: {
    wrong: 'The account is locked in the directory after too many wrong passwords: wait, or unlock it there.',
  },
};

async function passwordEnters(
  directory: Directory,
  person: DirectoryPerson,
  password: string,
): Promise<string | Wrong> {
  const outcome = await directory.checkPassword(person, password);
  if (outcome.accepted) {
    const end = endSoon(outcome.endsIn, person, Date.now());
    return `it is right${end === undefined ? '' : `, and expires on ${end}`}`;
  }
  return { wrong: `The directory refuses the password: ${outcome.reason ?? 'it is wrong'}.` };
}

/** Checks what the directory says of one person. Returns the person with its groups, if it was found. */
export async function* checkPerson(
  search: AccountSearch,
  directory: Directory,
  options: DirectoryOptions,
  { name, password }: PersonToCheck,
): AsyncGenerator<CheckStep, CheckedPerson | undefined> {
  let entry: DirectoryEntry | undefined;
  let person: DirectoryPerson | undefined;
  let groups: readonly string[] = [];
  const found = () => person as DirectoryPerson;
  const steps: StepToRun[] = [
    [
      'entry',
      async () => {
        entry = await entryOf(search, options, name);
        return entry.dn;
      },
    ],
    [
      'identity',
      async () => {
        const { attributes } = options;
        person = personOf(entry as DirectoryEntry, attributes, Date.now());
        if (person !== undefined) return identityOf(person, name, attributes.subject);
        throw new StepFault(
          `The entry has no ${attributes.name} or no ${attributes.subject} that the account may read: check the attributes in the settings, and the rights of the account.`,
        );
      },
    ],
    ['profile', async () => profileText(found(), options)],
    ['state', async () => STATES[found().state]],
  ];
  if (options.groupBase !== '')
    steps.push([
      'groups',
      async () => {
        const all = await directory.groupsOf(found());
        if (all === undefined)
          return {
            wrong:
              'The directory does not give all groups of the person: raise its limits, or make TESSERA_LDAP_GROUP_FILTER narrower.',
          };
        groups = all;
        return groups.length === 0 ? 'none' : `${groups.join(', ')}`;
      },
    ]);
  if (password !== undefined) steps.push(['password', () => passwordEnters(directory, found(), password)]);
  yield* runSteps(steps);
  return person && { person, groups };
}
