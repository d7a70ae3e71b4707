import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PASSWORD, startTestService, type TestService } from '../../../service/start.ts';

/** Names that no new user gets, while anna is a user, and what the refusal says. */
const REFUSED = [
  ['ben ', /begins or ends with a blank/],
  ['\u3000ben', /begins or ends with a blank/],
  ['.', /called \. or \.\./],
  ['..', /called \. or \.\./],
  ['ＡＮＮＡ', /looks like that of the user/],
] as const;

const logIn = async ({ url }: TestService, username: string) => {
  const body = JSON.stringify({ username, password: PASSWORD });
  const response = await fetch(`${url}/api/login`, { method: 'POST', body });
  const { data } = (await response.json()) as { readonly data?: { readonly ticket: string } };
  return { status: response.status, ticket: data?.ticket ?? '' };
};

/** Sends JSON as an administrator. */
async function asAdministrator(service: TestService) {
  const { ticket } = await logIn(service, 'admin');
  const headers = { Authorization: `Bearer ${ticket}`, 'Content-Type': 'application/json' };
  return (method: string, path: string, body?: object) =>
    fetch(`${service.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

test('administration adds no user whose name is blank at an end, a dot, or a lookalike, and says what to do', async (t) => {
  const service = await startTestService(t);
  await service.addUser('anna');
  const send = await asAdministrator(service);
  for (const [userName, why] of REFUSED) {
    const refused = await send('POST', '/api/admin/users', { userName, password: PASSWORD });
    assert.equal(refused.status, 400, userName);
    assert.match(await refused.text(), why, userName);
  }
  const names = await service.store.read(async ({ users }) => (await users.list()).map(({ name }) => name));
  assert.deepEqual(names, ['admin', 'anna']);
});

test('users who have such a name already log in, and an administrator changes them', async (t) => {
  const service = await startTestService(t);
  const names = REFUSED.map(([name]) => name);
  for (const name of ['anna', ...names]) await service.addUser(name);
  const send = await asAdministrator(service);
  for (const name of names) {
    assert.equal((await logIn(service, name)).status, 200, name);
    // No client sends . or .. as a segment of a path.
    if (name.startsWith('.')) continue;
    const path = `/api/admin/users/${encodeURIComponent(name)}`;
    assert.equal((await send('PATCH', path, { firstName: 'Anna' })).status, 204, name);
    assert.equal((await send('GET', path)).status, 200, name);
  }
});
