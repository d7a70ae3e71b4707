import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addAppPassword } from '../../../service/app-passwords.ts';
import { PASSWORD, type TestService } from '../../../service/start.ts';
import { ask, basic, logIn } from '../../../service/talk.ts';
import { askV1, started, V1 } from './zoe.ts';

const HARD = 'four quiet rivers meeting';

/** A call of the v1 API as the tools of the reference send it: by user name and password, if nothing else is said. */
async function call(
  { url }: TestService,
  target: string,
  body?: object,
  headers: Record<string, string> = basic(`admin:${PASSWORD}`),
) {
  const [, method = '', path] = /^(\S+) (.*)$/.exec(target) ?? [];
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const { status, text } = await ask(`${url}${V1}${path}`, init);
  return { status, json: text === '' ? undefined : JSON.parse(text) };
}

const entriesOf = ({ json }: Awaited<ReturnType<typeof call>>) =>
  json.list.entries.map(({ entry }: { entry: { id: string } }) => entry.id);

test('a tool of the reference adds a person, changes it, and the person logs in and is disabled', async (t) => {
  const service = await started(t);
  const dora = { id: 'dora', firstName: 'Dora', lastName: 'Díaz', email: 'dora@example.org' };
  const more = { jobTitle: 'Editor', company: { organization: 'Ice' }, aspectNames: [], properties: {} };
  const added = await call(service, 'POST /people', { ...dora, ...more, password: HARD });
  assert.equal(added.status, 201);
  const { displayName, enabled, capabilities, company } = added.json.entry;
  assert.deepEqual([displayName, enabled, company], ['Dora Díaz', true, { organization: 'Ice' }]);
  assert.deepEqual(capabilities, { isAdmin: false, isGuest: false, isMutable: true });
  assert.equal((await call(service, 'POST /people', { ...dora, password: HARD })).status, 409);

  const ticket = await logIn(service.url, 'dora', HARD);
  const changed = await call(service, 'PUT /people/dora', { jobTitle: 'Chief', lastName: '' });
  assert.deepEqual([changed.json.entry.jobTitle, changed.json.entry.displayName], ['Chief', 'Dora']);
  assert.equal((await ask(`${service.url}${V1}/people/-me-`, { headers: basic(`:${ticket}`) })).status, 200);
  const disabled = await call(service, 'PUT /people/dora', { enabled: false });
  assert.equal(disabled.json.entry.enabled, false);
  assert.equal((await ask(`${service.url}${V1}/people/-me-`, { headers: basic(`:${ticket}`) })).status, 401);
});

test('a new password of -me- is judged against the name of the one who calls', async (t) => {
  const service = await started(t);
  const name = 'xanthippe.kowalczyk';
  await service.addUser(name, { administrator: true });
  const by = basic(`${name}:${PASSWORD}`);
  const change = (password: string) => call(service, 'PUT /people/-me-', { password }, by);
  const refused = await change('Xanthippe.Kowalczyk1');
  assert.match(refused.json.error.briefSummary, /little more than the name of the user/);
  assert.equal((await change('qjvzkw mbxhtu pfrgyd')).status, 200);
});

test('what is not kept of a person is refused by name, and changes nothing', async (t) => {
  const service = await started(t);
  const refused = await call(service, 'PUT /people/zoe', { jobTitle: 'Chief', skypeId: 'zoe' });
  assert.equal(refused.status, 400);
  assert.match(refused.json.error.briefSummary, /a member that is not taken here: it takes firstName/);
  assert.equal((await call(service, 'GET /people/zoe')).json.entry.jobTitle, 'Cook');
});

test('a tool of the reference adds a group below another, fills it, empties it and removes it', async (t) => {
  const service = await started(t);
  const group = { id: 'bakers', displayName: 'The Bakers', parentIds: ['GROUP_Staff'] };
  const added = await call(service, 'POST /groups', group);
  assert.equal(added.status, 201);
  assert.deepEqual(added.json.entry, {
    ...{ id: 'GROUP_bakers', displayName: 'The Bakers', isRoot: false, parentIds: ['GROUP_Staff'] },
  });
  const members = 'POST /groups/GROUP_bakers/members';
  const zoe = await call(service, members, { id: 'zoe', memberType: 'PERSON' });
  assert.deepEqual(zoe.json.entry, { id: 'Zoe', displayName: 'Zoë Di "Q" Marco', memberType: 'PERSON' });
  assert.equal((await call(service, members, { id: 'GROUP_cooks', memberType: 'GROUP' })).status, 201);
  const circle = await call(service, 'POST /groups/GROUP_cooks/members', {
    id: 'GROUP_bakers',
    memberType: 'GROUP',
  });
  assert.deepEqual(
    [circle.status, circle.json.error.errorKey],
    [409, 'framework.exception.ConstraintViolated'],
  );

  const listed = (query: string) => call(service, `GET /groups/bakers/members${query}`);
  assert.deepEqual(entriesOf(await listed('')), ['GROUP_cooks', 'Zoe']);
  assert.deepEqual(entriesOf(await listed("?where=(memberType='PERSON')")), ['Zoe']);
  assert.deepEqual(entriesOf(await listed('?orderBy=id DESC&maxItems=1')), ['Zoe']);
  const renamed = await call(service, 'PUT /groups/GROUP_bakers', { displayName: 'Bakery' });
  assert.equal(renamed.json.entry.displayName, 'Bakery');
  assert.equal((await call(service, 'DELETE /groups/bakers/members/zoe')).status, 204);
  const again = await call(service, 'DELETE /groups/bakers/members/zoe');
  assert.deepEqual([again.status, again.json.error.errorKey], [404, 'framework.exception.EntityNotFound']);
  assert.equal((await call(service, 'DELETE /groups/bakers')).status, 204);
  assert.equal((await call(service, 'GET /groups/bakers')).status, 404);
  assert.equal((await call(service, 'GET /groups/cooks')).json.entry.displayName, 'The Cooks');
});

test('administrators list all people and groups in pages, in each order; others see themselves and their groups', async (t) => {
  const service = await started(t);
  const people = async (query: string) => entriesOf(await call(service, `GET /people${query}`));
  assert.deepEqual(await people(''), ['admin', 'bob.smith', 'guest', 'Zoe']);
  assert.deepEqual(await people('?orderBy=id DESC'), ['Zoe', 'guest', 'bob.smith', 'admin']);
  assert.deepEqual((await people('?orderBy=firstName DESC'))[0], 'Zoe');
  const page = await call(service, 'GET /people?skipCount=1&maxItems=2');
  assert.deepEqual(entriesOf(page), ['bob.smith', 'guest']);
  const pagination = { count: 2, hasMoreItems: true, totalItems: 4, skipCount: 1, maxItems: 2 };
  assert.deepEqual(page.json.list.pagination, pagination);
  assert.deepEqual(entriesOf(await call(service, 'GET /people?skipCount=9')), []);
  const long = await call(service, 'GET /people?maxItems=1000000');
  assert.deepEqual([entriesOf(long).length, long.json.list.pagination.maxItems], [4, 20_000]);

  const groups = async (query: string) => entriesOf(await call(service, `GET /groups${query}`));
  const all = ['GROUP_ALFRESCO_ADMINISTRATORS', 'GROUP_cooks', 'GROUP_site_ice', 'GROUP_Staff'];
  assert.deepEqual(await groups('?orderBy=id'), all);
  assert.deepEqual(await groups('?where=(isRoot=false)'), ['GROUP_cooks']);
  const [first] = (await call(service, 'GET /groups?where=(isRoot=false)&include=parentIds')).json.list
    .entries;
  assert.deepEqual(first.entry.parentIds, ['GROUP_site_ice', 'GROUP_Staff']);

  const own = async (path: string) => {
    const { status, text } = await askV1(service, 'zoe', path);
    return status === 200
      ? JSON.parse(text).list?.entries.map(({ entry }: { entry: { id: string } }) => entry.id)
      : status;
  };
  assert.deepEqual(await own('/people'), ['Zoe']);
  assert.deepEqual(await own('/groups'), ['GROUP_site_ice', 'GROUP_Staff', 'GROUP_cooks']);
  assert.equal((await askV1(service, 'bob.smith', '/groups/cooks')).status, 404);
  assert.equal((await askV1(service, 'zoe', '/groups/cooks')).status, 200);
  assert.equal(await own('/groups/cooks/members'), 403);
});

test('neither an app password nor a password without the role administers', async (t) => {
  const service = await started(t);
  const appPassword = await addAppPassword(service.store, 'admin');
  const group = { id: 'bakers' };
  const byProgram = await call(service, 'POST /groups', group, basic(`admin:${appPassword}`));
  assert.equal(byProgram.status, 401);
  const byZoe = await call(service, 'POST /groups', group, basic(`zoe:${PASSWORD}`));
  assert.deepEqual([byZoe.status, byZoe.json.error.errorKey], [403, 'framework.exception.PermissionDenied']);
  assert.equal((await call(service, 'POST /groups', group, basic('admin:wrong'))).status, 401);
  const key = await service.addApiKey('administrator');
  assert.equal((await call(service, 'POST /groups', group, { authorization: `Bearer ${key}` })).status, 201);
});
