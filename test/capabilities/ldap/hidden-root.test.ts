import assert from 'node:assert/strict';
import { dnOf, groupOf, person, testsOnSlapd, USER_PASSWORD } from '../../service/slapd.ts';
import { directoryOn } from './asked.ts';

const test = await testsOnSlapd({
  entries: [person('anna'), groupOf('staff', dnOf('anna'))],
  hidesRoot: true,
});

test('a server that does not say what it can do is asked without pages and policies', async (t, slapd) => {
  const { directory, heard } = directoryOn(t, slapd);
  const { person: anna } = await directory.find('anna');
  assert.ok(anna);
  assert.deepEqual(await directory.checkPassword(anna, USER_PASSWORD), { accepted: true });
  assert.deepEqual(await directory.groupsOf(anna), ['staff']);
  for (const _ of [1, 2, 3]) await directory.checkPassword(anna, 'wrong');
  // Its password policy is not asked for.
  assert.deepEqual(await directory.checkPassword(anna, USER_PASSWORD), {
    accepted: false,
    reason: undefined,
  });
  assert.deepEqual(heard, []);
});
