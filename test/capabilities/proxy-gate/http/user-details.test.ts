import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRuled } from './ruled.ts';

const RULES = [{ allow: 'signed-in' as const }];

test('the gate tells groups, e-mail address and name of the user, percent-encoded', async (t) => {
  const { ask, service } = await startRuled(t, RULES);
  await service.store.write(async ({ users, groups, profiles }) => {
    const mia = (await users.findByKey('mia'))?.id as number;
    await profiles.put(mia, { firstName: 'Mía', lastName: 'Müller, Dr.', email: 'mia@example.org' });
    const sales = await groups.add({
      name: 'Sales, (EU)',
      key: 'sales, (eu)',
      displayName: 'x',
      role: undefined,
    });
    await groups.addUser(sales?.id as number, mia);
  });
  const { headers } = await ask('GET x/', 'mia');
  assert.equal(headers['x-tessera-groups'], 'editors,Sales%2C%20%28EU%29,staff');
  assert.equal(headers['x-tessera-email'], 'mia@example.org');
  assert.equal(headers['x-tessera-name'], 'M%C3%ADa%20M%C3%BCller%2C%20Dr.');
});

test('what is not known of a user is left out; a user without groups has an empty list', async (t) => {
  const { ask, service } = await startRuled(t, RULES);
  const { headers } = await ask('GET x/', 'ben');
  assert.equal(headers['x-tessera-groups'], '');
  assert.equal(headers['x-tessera-email'], undefined);
  assert.equal(headers['x-tessera-name'], undefined);
  await service.store.write(async ({ users, profiles }) => {
    await profiles.put((await users.findByKey('ben'))?.id as number, { lastName: 'Berg' });
  });
  assert.equal((await ask('GET x/', 'ben')).headers['x-tessera-name'], 'Berg');
});

test('an administrator is in the group of the administrators, itself or by a group', async (t) => {
  const { ask, service } = await startRuled(t, [{ allow: { groups: ['ALFRESCO_ADMINISTRATORS'] } }]);
  assert.equal((await ask('GET x/', 'mia')).status, 403);
  await service.store.write(async ({ groups }) => {
    await groups.change((await groups.findByKey('staff'))?.id as number, { role: 'administrator' });
  });
  const heard = await ask('GET x/', 'mia');
  assert.deepEqual(
    [heard.status, heard.headers['x-tessera-groups']],
    [204, 'editors,staff,ALFRESCO_ADMINISTRATORS'],
  );
  assert.equal((await ask('GET x/', 'ben')).status, 403);
});

test('a setting names what is told; groups decide without being told', async (t) => {
  const told = async (details: string) => {
    const { ask } = await startRuled(t, [{ allow: { groups: ['staff'] } }], {
      TESSERA_GATE_DETAILS: details,
    });
    const heard = await ask('GET x/', 'mia');
    assert.equal(heard.status, 204);
    return heard.headers['x-tessera-groups'];
  };
  assert.equal(await told('groups'), 'editors,staff');
  assert.equal(await told('email,name'), undefined);
});
