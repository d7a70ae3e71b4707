import type { Role } from '../../../../src/core/domain/role.ts';
import { Visitor } from '../../../faces/pages/browse.ts';
import type { TestService } from '../../../service/start.ts';

/** The browser of somebody with this role, signed in: the user of that name, or `admin`. */
export async function signedInAs(service: TestService, role: Role): Promise<Visitor> {
  const name = role === 'administrator' ? 'admin' : role;
  if (role !== 'administrator') {
    await service.addUser(name);
    await service.store.write(async ({ users, roles }) => {
      const user = await users.findByKey(name);
      await roles.give(user?.id as number, role);
    });
  }
  const visitor = new Visitor(service);
  await visitor.signIn(name);
  return visitor;
}

/** The text of a page that the visitor may open. */
export async function pageOf(visitor: Visitor, path: string, language = 'en'): Promise<string> {
  const response = await visitor.get(path, { 'Accept-Language': language });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
  return text;
}
