import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAppPasswordFor } from '../../../src/capabilities/factors/rules/app-passwords.ts';
import { addUser } from '../../../src/capabilities/people/rules/bring-user.ts';
import { addGroup, findGroup, joinGroup } from '../../../src/capabilities/people/rules/groups.ts';
import { faultOfApiKeyName } from '../../../src/core/domain/api-key.ts';
import {
  faultOfAppPasswordName,
  MOST_ADDRESS_BLOCKS,
  MOST_APP_PASSWORDS,
} from '../../../src/core/domain/app-password.ts';
import { faultOfClientName } from '../../../src/core/domain/client.ts';
import { faultOfNewGroupName } from '../../../src/core/domain/group.ts';
import { faultOfProfileValue } from '../../../src/core/domain/profile.ts';
import { isRefusal } from '../../../src/core/domain/refusal.ts';
import { faultOfNewName, userKey } from '../../../src/core/domain/user.ts';
import type { WriteUnit } from '../../../src/core/storage/store.ts';
import { detailText } from '../../../src/faces/pages/refusal-page.ts';
import { sayIn } from '../../../src/faces/pages/texts/texts.ts';
import { pageOf, signedInAs } from '../../capabilities/admin/pages/staff.ts';
import { openMemory } from '../../engines/memory/open.ts';
import { startTestService } from '../../service/start.ts';
import { FROM_OWN_PAGE, formOn } from './browse.ts';

/** English words that no German text has. */
const ENGLISH = /\b(the|another|choose|already|has|characters|take|give|looks)\b/;

const NEW_USER = {
  passwordHash: 'hash',
  mustChangePassword: false,
  disabled: false,
  role: undefined,
  profile: {},
};

/** What a rule forbids, one after the other, in a store of its own. */
async function forbiddenBy(...changes: ((unit: WriteUnit) => Promise<object>)[]): Promise<string[]> {
  const store = openMemory();
  const details: string[] = [];
  for (const change of changes) {
    const outcome = await store.write(change);
    if (isRefusal(outcome)) details.push(`${outcome.detail}`);
  }
  return details;
}

const newUser = (name: string) => (unit: WriteUnit) =>
  addUser(unit, { name, key: userKey(name), ...NEW_USER });

const join = (group: string, member: string) => async (unit: WriteUnit) => {
  const [into, what] = [await findGroup(unit, group), await findGroup(unit, member)];
  if (isRefusal(into) || isRefusal(what)) return assert.fail('no group');
  return joinGroup(unit, into, { group: what });
};

/** Makes an app password of the user ada. */
const appPassword = (change: object, n: number) => async (unit: WriteUnit) => {
  const user = (await unit.users.findByKey('ada')) ?? assert.fail('no ada');
  const asked = { name: `mail${n}`, digest: Buffer.alloc(32, n), expiresAt: undefined, addresses: [] };
  return makeAppPasswordFor(unit, user, { ...asked, ...change }, 1);
};

test('what a form of a page can be refused for is said in German: names and values', () => {
  const details = [
    ...['', 'a:b', 'role_ticket', 'TICKET_1', '-me-', 'a ', '..'].map(faultOfNewName),
    ...['', 'a/b', 'GROUP_GROUP_a', 'EVERYONE'].map(faultOfNewGroupName),
    ...['a\u0007', 'ä'.repeat(600)].map((value) => faultOfProfileValue('firstName', value)),
    faultOfProfileValue('displayName', 'a\u0007'),
    ...[faultOfClientName('a b'), faultOfClientName('role_ticket'), faultOfApiKeyName('a b')],
    ...['', 'tap_x'].map(faultOfAppPasswordName),
    'expiresAt is over: name a later time',
    'search (it takes 3 characters or more; prefix takes fewer)',
  ];
  for (const detail of details) {
    assert.ok(detail !== undefined);
    assert.doesNotMatch(detailText(sayIn('de'), detail), ENGLISH, detail);
  }
});

test('what a form of a page can be refused for is said in German: users, groups and app passwords', async () => {
  const users = await forbiddenBy(...['ada', 'ada', 'ADA', '\uff41da'].map(newUser));
  const groups = await forbiddenBy(
    ...['one', 'two', 'one', 'ONE', '\uff4fne', '..'].map(
      (name) => (unit: WriteUnit) => addGroup(unit, name),
    ),
    join('one', 'two'),
    join('two', 'one'),
    (unit) => findGroup(unit, 'none'),
    (unit) => findGroup(unit, 'GROUP_EVERYONE'),
  );
  const appPasswords = await forbiddenBy(
    newUser('ada'),
    appPassword({ expiresAt: 0 }, 1),
    appPassword({ addresses: ['nowhere'] }, 1),
    appPassword({ addresses: Array.from({ length: MOST_ADDRESS_BLOCKS + 1 }, (_, n) => `192.0.2.${n}`) }, 1),
    ...Array.from({ length: MOST_APP_PASSWORDS }, (_, n) => appPassword({}, n)),
    appPassword({}, MOST_APP_PASSWORDS),
  );
  const taken = await forbiddenBy(newUser('ada'), appPassword({}, 1), appPassword({}, 1));
  assert.deepEqual(
    [users, groups, appPasswords, taken].map(({ length }) => length),
    [3, 7, 4, 1],
  );
  for (const detail of [...users, ...groups, ...appPasswords, ...taken])
    assert.doesNotMatch(detailText(sayIn('de'), detail), ENGLISH, detail);
});

test('a name in a detail is left as it is, also one that reads like another detail', () => {
  const name = 'a" already: choose {most}';
  const detail = `there is a user "${name}" already: choose another name, or change that user`;
  assert.equal(detailText(sayIn('en'), detail), detail);
  assert.match(detailText(sayIn('de'), detail), /„a" already: choose \{most\}“/);
  assert.equal(detailText(sayIn('de'), 'unheard of'), 'unheard of');
});

test('a German page of the console says in German why a user is not added', async (t) => {
  const service = await startTestService(t);
  const visitor = await signedInAs(service, 'administrator');
  const add = '/portal/console/add-user';
  const fields = { userName: 'a:b', password: 'correct-horse-battery' };
  const form = formOn(await pageOf(visitor, add), add, {}) ?? assert.fail('no form');
  const german = { ...FROM_OWN_PAGE, 'Accept-Language': 'de' };
  const response = await visitor.post(add, { ...form, ...fields }, german);
  assert.match(await response.text(), /enthält keinen Doppelpunkt/);
});
