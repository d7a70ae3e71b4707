import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/** How many people and groups there are. */
export interface People {
  readonly users: number;
  readonly groups: number;
}

/** One user in so many is in the big group. */
const IN_BIG_GROUP = 10;
/** Each group is in one of a tenth as many, up to the first ten, which are in none. */
const NESTED_IN = 10;
export const BIG_GROUP = 'everyone-here';
/** The user who signs in to the console. */
export const ADMINISTRATOR = 'admin-of-all';

const FIRST = ['Ada', 'Ben', 'Chloé', 'Dora', 'Emil', 'Fatima', 'Greta', 'Hugo', 'Ivo', 'Jana', 'Kenji'];
const LAST = ['Berg', 'Lindqvist', 'Okafor', 'Meier', 'Dubois', 'García', 'Novák', 'Rossi', 'Tanaka'];

export const groupName = (number: number) => `group-${number}`;
export const userName = (number: number) => `user-${number}`;

function* groupLines({ groups }: People): Generator<object> {
  yield { group: BIG_GROUP, displayName: 'Everyone here' };
  for (let number = 0; number < groups; number += 1) {
    const outer = number < NESTED_IN ? {} : { groups: [groupName(Math.floor(number / NESTED_IN))] };
    yield { group: groupName(number), displayName: `Group ${number}`, ...outer };
  }
}

function* userLines({ users, groups }: People, passwordHash: string): Generator<object> {
  yield { name: ADMINISTRATOR, passwordHash, administrator: true };
  for (let number = 0; number < users; number += 1) {
    const own = [groupName(number % groups)];
    yield {
      name: userName(number),
      passwordHash,
      firstName: FIRST[number % FIRST.length],
      lastName: `${LAST[number % LAST.length]}-${number % 997}`,
      email: `${userName(number)}@example.org`,
      organization: `Department ${number % 100}`,
      groups: number % IN_BIG_GROUP === 0 ? [...own, BIG_GROUP] : own,
    };
  }
}

/**
 * Writes a file for `users import`: users with profiles, each in a group, and nested groups. All have the same hash of this
 * service, so that the import computes none.
 */
export async function writePeople(file: string, people: People, passwordHash: string): Promise<void> {
  const output = createWriteStream(file);
  for (const lines of [groupLines(people), userLines(people, passwordHash)])
    for (const line of lines) if (!output.write(`${JSON.stringify(line)}\n`)) await once(output, 'drain');
  output.end();
  await once(output, 'finish');
}
