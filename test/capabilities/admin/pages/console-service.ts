import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Role } from '../../../../src/core/domain/role.ts';
import { Visitor } from '../../../faces/pages/browse.ts';
import { type ReadPage, readPage } from '../../../faces/pages/read-page.ts';
import { startTestService, type TestService } from '../../../service/start.ts';

/** A service, and a browser that is signed in as a user with this role; `admin` is the administrator. */
export async function startConsole(
  t: TestContext,
  role: Role = 'administrator',
): Promise<{ readonly service: TestService; readonly visitor: Visitor }> {
  const service = await startTestService(t);
  return { service, visitor: await signedInAs(service, role) };
}

/** A browser that is signed in as a user with this role. */
export async function signedInAs(service: TestService, role: Role): Promise<Visitor> {
  const visitor = new Visitor(service);
  const name = role === 'administrator' ? 'admin' : role;
  if (role !== 'administrator') {
    await service.addUser(name);
    await service.store.write(async ({ users, roles }) => {
      const user = (await users.findByKey(name)) ?? assert.fail(name);
      await roles.give(user.id, role);
    });
  }
  await visitor.signIn(name);
  return visitor;
}

/** The text of a page that is there. */
export async function textOf(
  visitor: Visitor,
  path: string,
  headers?: Record<string, string>,
): Promise<string> {
  const response = await visitor.get(path, headers);
  const text = await response.text();
  assert.equal(response.status, 200, `${path}: ${text}`);
  return text;
}

/** What somebody finds on a page that is there. */
export const openPage = async (...page: Parameters<typeof textOf>): Promise<ReadPage> =>
  readPage(await textOf(...page));

/** The kinds of the latest events, the newest first. */
export const latestKinds = async ({ store }: TestService): Promise<readonly string[]> =>
  (await store.read(({ events }) => events.latest({ limit: 20 }))).map(({ kind }) => kind);
