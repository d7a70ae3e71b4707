import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage, signedInAs, startConsole } from './console-service.ts';

const SEARCH = '/portal/console/search';

test('one search finds users, groups, settings and pages, as far as the role opens them', async (t) => {
  const { service, visitor } = await startConsole(t);
  await service.addUser('settler');
  await visitor.send('/portal/console/add-group', '/portal/console/add-group', { name: 'jet-set' });
  const linksFor = async (reader: typeof visitor, q: string) =>
    (await openPage(reader, `${SEARCH}?q=${q}`)).links.map(({ to }) => to);
  const found = await linksFor(visitor, 'SETT');
  for (const to of ['/portal/console/settings', '/portal/console/users/settler'])
    assert.ok(found.includes(to), `${to} in ${found}`);
  assert.ok((await linksFor(visitor, 'jet')).includes('/portal/console/groups/jet-set'));
  assert.ok((await linksFor(visitor, 'port+to+listen')).includes('/portal/console/settings#TESSERA_PORT'));
  assert.match((await openPage(visitor, `${SEARCH}?q=nothing-at-all`)).text, /Nothing has this text/);
  const auditor = await signedInAs(service, 'auditor');
  assert.ok(!(await linksFor(auditor, 'settler')).includes('/portal/console/users/settler'));
  assert.ok((await linksFor(auditor, 'event')).includes('/portal/console/events'));
});
