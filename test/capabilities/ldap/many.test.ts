import assert from 'node:assert/strict';
import { dnOf, groupDn, groupOf, person, testsOnSlapd, USER_PASSWORD } from '../../service/slapd.ts';
import { directoryOn } from './asked.ts';

const PEOPLE = 10_000;
const GROUPS = 600;
const nameOf = (n: number) => `user${n}`;

const test = await testsOnSlapd({
  entries: [
    ...Array.from({ length: PEOPLE }, (_, n) => person(nameOf(n))),
    // A person in more groups than a page has, all of them in one.
    ...Array.from({ length: GROUPS }, (_, n) => groupOf(`group${n}`, dnOf(nameOf(7)))),
    groupOf('all', ...Array.from({ length: GROUPS }, (_, n) => groupDn(`group${n}`))),
    ...Array.from({ length: 1_001 }, (_, n) => groupOf(`too-many${n}`, dnOf(nameOf(8)))),
  ],
  sizeLimit: 2_000,
});

test('one of 10,000 people is found and checked, and 1,000 are found by their subjects', async (t, slapd) => {
  const { directory } = directoryOn(t, slapd);
  const { person: one } = await directory.find(nameOf(PEOPLE - 1));
  assert.ok(one);
  assert.deepEqual(await directory.checkPassword(one, USER_PASSWORD), { accepted: true });
  const subjects: string[] = [];
  for (let n = 0; n < 1_000; n += 1) {
    const { person: found } = await directory.find(nameOf(n));
    subjects.push(found?.subject ?? '');
  }
  const found = await directory.ofSubjects(subjects);
  assert.equal(found.size, 1_000);
  assert.equal(found.get(subjects[500] ?? '')?.name, nameOf(500));
});

test('the groups of a person come in pages, and none of them if they are too many', async (t, slapd) => {
  const { directory } = directoryOn(t, slapd);
  const { person: seven } = await directory.find(nameOf(7));
  assert.equal((await directory.groupsOf(seven ?? assert.fail()))?.length, GROUPS + 1);
  const { person: eight } = await directory.find(nameOf(8));
  assert.equal(await directory.groupsOf(eight ?? assert.fail()), undefined);
});
