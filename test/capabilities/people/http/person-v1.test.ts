import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askV1, started, ZOE } from './zoe.ts';

test('the v1 API shows the caller as -me-, and leaves out what is not known', async (t) => {
  const service = await started(t);
  const capabilities = { isAdmin: false, isGuest: false, isMutable: true };
  const shared = { enabled: true, emailNotificationsEnabled: true, capabilities };
  for (const id of ['-me-', '-ME-', 'ZOE']) {
    const { text } = await askV1(service, 'zoe', `/people/${id}`);
    const { organization, ...profile } = ZOE;
    const expected = {
      id: 'Zoe',
      ...profile,
      displayName: 'Zoë Di "Q" Marco',
      ...shared,
      company: { organization },
    };
    assert.deepEqual(JSON.parse(text), { entry: expected });
  }
  const { text } = await askV1(service, 'bob.smith', '/people/-me-');
  assert.equal(
    text,
    '{"entry":{"id":"bob.smith","displayName":"bob.smith","enabled":true,"emailNotificationsEnabled":true,' +
      '"capabilities":{"isAdmin":false,"isGuest":false,"isMutable":true},"company":{}}}',
  );
  const { error } = JSON.parse((await askV1(service, 'zoe', '/people/nobody')).text);
  assert.equal(error.errorKey, 'framework.exception.EntityNotFound');
  assert.equal(error.briefSummary, 'Person nobody does not exist');
});

const idsIn = (text: string) =>
  JSON.parse(text).list.entries.map(({ entry }: { entry: { id: string } }) =>
    entry.id.slice('GROUP_'.length),
  );

test('the v1 API lists the groups of a user, in the order and by the part that is asked for', async (t) => {
  const service = await started(t);
  const asked = async (query: string, caller = 'zoe') =>
    (await askV1(service, caller, `/people/-me-/groups${query}`)).text;
  assert.deepEqual(JSON.parse(await asked('')).list, {
    pagination: { count: 4, hasMoreItems: false, totalItems: 4, skipCount: 0, maxItems: 100 },
    entries: [
      { entry: { id: 'GROUP_EVERYONE', displayName: 'EVERYONE', isRoot: false } },
      { entry: { id: 'GROUP_site_ice', displayName: 'Ice', isRoot: true } },
      { entry: { id: 'GROUP_Staff', displayName: 'Staff', isRoot: true } },
      { entry: { id: 'GROUP_cooks', displayName: 'The Cooks', isRoot: false } },
    ],
  });
  assert.deepEqual(idsIn(await asked('?orderBy=id')), ['cooks', 'EVERYONE', 'site_ice', 'Staff']);
  assert.deepEqual(idsIn(await asked('?orderBy=ID%20desc')), ['Staff', 'site_ice', 'EVERYONE', 'cooks']);
  assert.deepEqual(idsIn(await asked('?orderBy=displayName%20DESC&maxItems=1')), ['cooks']);
  assert.deepEqual(idsIn(await asked('?skipCount=1&maxItems=2')), ['site_ice', 'Staff']);
  assert.equal(JSON.parse(await asked('?skipCount=1&maxItems=2')).list.pagination.hasMoreItems, true);
  assert.deepEqual(idsIn(await asked('?where=(isRoot%3Dtrue)')), ['site_ice', 'Staff']);
  assert.deepEqual(idsIn(await asked('?where=(isRoot%20=%20false)')), ['EVERYONE', 'cooks']);
  assert.deepEqual(idsIn(await asked('', 'admin')), ['ALFRESCO_ADMINISTRATORS', 'EVERYONE']);
  for (const faulty of ['orderBy=name', 'where=isRoot', 'skipCount=x', 'skipCount=-1', 'maxItems=0'])
    assert.equal((await askV1(service, 'zoe', `/people/-me-/groups?${faulty}`)).status, 400, faulty);
});
