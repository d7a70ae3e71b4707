import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newGroup } from '../../../../src/core/domain/group.ts';
import { startTestService } from '../../../service/start.ts';
import { ask, logIn } from '../../../service/talk.ts';

test('users read their own preferences, and an administrator, also one by a group, reads those of every user', async (t) => {
  const service = await startTestService(t);
  for (const name of ['Zoë', 'bob', 'cleo']) await service.addUser(name);
  await service.store.write(async ({ users, groups }) => {
    const cleo = await users.findByKey('cleo');
    const chiefs = await groups.add(newGroup('chiefs', { role: 'administrator' }));
    await groups.addUser(chiefs?.id ?? 0, cleo?.id ?? 0);
  });
  const askAs = async (caller: string, path: string) => {
    const ticket = await logIn(service.url, caller);
    return ask(`${service.url}/alfresco/s/api/people/${path}/preferences?alf_ticket=${ticket}`);
  };
  for (const [caller, name] of [
    ['Zoë', 'zo%C3%AB'],
    ['Zoë', 'ZOE%CC%88'],
    ['admin', 'Bob'],
    ['cleo', 'bob'],
    ['admin', 'admin'],
  ] as const) {
    const { status, text } = await askAs(caller, name);
    assert.equal(`${status} ${text}`, '200 {}', `${caller} asks for ${name}`);
  }
  for (const [caller, name] of [
    ['bob', 'Zo%C3%AB'],
    ['bob', 'nobody'],
    ['admin', 'nobody'],
  ] as const) {
    const { status, text } = await askAs(caller, name);
    assert.equal(status, 404);
    assert.equal(JSON.parse(text).message, `The user ${decodeURIComponent(name)} could not be found`);
  }
});

test('a ticket in the place of a name is not repeated', async (t) => {
  const { url } = await startTestService(t);
  const ticket = await logIn(url);
  const { text } = await ask(`${url}/api/people/${ticket}/preferences?alf_ticket=${ticket}`);
  assert.equal(JSON.parse(text).message, 'The user *** could not be found');
});
