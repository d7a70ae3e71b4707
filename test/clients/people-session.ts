import { createRequire } from 'node:module';

// Administers people and groups by the client of this name, and prints what it was told.
const [library = '', url = '', password = ''] = process.argv.slice(2);

type Calls = Readonly<Record<string, (...values: readonly unknown[]) => Promise<unknown>>>;
type Constructor<T> = new (...values: readonly unknown[]) => T;

const { AlfrescoApi, GroupsApi, PeopleApi } = createRequire(import.meta.url)(library) as {
  readonly AlfrescoApi: Constructor<{ login(name: string, password: string): Promise<string> }>;
  readonly GroupsApi: Constructor<Calls>;
  readonly PeopleApi: Constructor<Calls>;
};

const api = new AlfrescoApi({ hostEcm: url, provider: 'ECM', contextRoot: 'alfresco' });
await api.login('admin', password);
const [people, groups] = [new PeopleApi(api), new GroupsApi(api)];
const told: unknown[] = [];
const step = async (of: Calls, name: string, ...values: readonly unknown[]) => {
  told.push(await of[name]?.call(of, ...values));
};
const dora = {
  id: 'dora',
  firstName: 'Dora',
  email: 'dora@example.org',
  password: 'four quiet rivers meeting',
};
await step(people, 'createPerson', dora);
await step(people, 'updatePerson', 'dora', { lastName: 'Díaz' });
await step(people, 'listPeople', { maxItems: 10, orderBy: ['firstName'] });
await step(groups, 'createGroup', { id: 'bakers', displayName: 'The Bakers' });
await step(groups, 'updateGroup', 'GROUP_bakers', { displayName: 'Bakery' });
await step(groups, 'createGroupMembership', 'GROUP_bakers', { id: 'dora', memberType: 'PERSON' });
await step(groups, 'listGroupMemberships', 'GROUP_bakers', { where: "(memberType='PERSON')" });
await step(groups, 'listGroups', { orderBy: ['id'], include: ['parentIds'] });
await step(groups, 'deleteGroupMembership', 'GROUP_bakers', 'dora');
await step(groups, 'deleteGroup', 'GROUP_bakers');
process.stdout.write(JSON.stringify({ told: told.map((each) => each ?? null) }));
