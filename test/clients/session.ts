import { createRequire } from 'node:module';

/** What the generations of `@alfresco/js-api` have in common. */
interface Api {
  login(name: string, password: string): Promise<string>;
  loginTicket(ticket: string): Promise<string>;
  logout(): Promise<unknown>;
  isLoggedIn(): boolean;
  on(event: string, hear: (value: unknown) => void): void;
}

interface Actions {
  listActions(options: object): Promise<unknown>;
  nodeActions(nodeId: string, options?: object): Promise<unknown>;
  actionDetails(id: string): Promise<unknown>;
}

interface People {
  getPerson(id: string): Promise<unknown>;
}

interface Groups {
  listGroupMembershipsForPerson(id: string, options?: object): Promise<unknown>;
}

interface Library {
  readonly AlfrescoApi: new (config: object) => Api;
  readonly ActionsApi: new (api: Api) => Actions;
  readonly PeopleApi: new (api: Api) => People;
  readonly GroupsApi: new (api: Api) => Groups;
  readonly DiscoveryApi: new (api: Api) => { getRepositoryInformation(): Promise<unknown> };
  readonly WebscriptApi: new (
    api: Api,
  ) => { executeWebScript(method: string, path: string): Promise<unknown> };
}

/** What came of a step: a value, or the status and the text that the client tells. */
type Told = { readonly value: unknown } | { readonly status: number; readonly message: string };

const [library = '', url = '', name = '', password = ''] = process.argv.slice(2);
const { AlfrescoApi, ActionsApi, WebscriptApi, PeopleApi, GroupsApi, DiscoveryApi } = createRequire(
  import.meta.url,
)(library) as Library;
const told: Record<string, Told> = {};

/** A client that nobody is logged in to. */
function client(config: object = {}): Api {
  const api = new AlfrescoApi({ hostEcm: url, provider: 'ECM', authType: 'BASIC', ...config });
  api.on('error', () => undefined);
  return api;
}

async function step(label: string, work: () => Promise<unknown>): Promise<void> {
  try {
    told[label] = { value: (await work()) ?? null };
  } catch (error) {
    const { status, message } = error as { status: number; message: string };
    told[label] = { status, message };
  }
}

const api = client();
let ticket = '';
await step('log in', async () => {
  ticket = await api.login(name, password);
  return ticket;
});
await step('repository', () => new DiscoveryApi(api).getRepositoryInformation());
const groups = new GroupsApi(api);
await step('own groups', () => groups.listGroupMembershipsForPerson('-me-', { maxItems: 250 }));
await step('own person', () => new PeopleApi(api).getPerson('-me-'));
await step('nobody', () => new PeopleApi(api).getPerson('nobody'));
const actions = new ActionsApi(api);
await step('list', () => actions.listActions({ skipCount: 1, maxItems: 2, orderBy: ['title DESC'] }));
await step('list for the root', () => actions.nodeActions('-root-', { fields: ['id'] }));
await step('list for no node', () => actions.nodeActions('nothing'));
await step('one', () => actions.actionDetails('mail'));
await step('none', () => actions.actionDetails('nothing'));
const other = client();
await step('log in with the ticket', () => other.loginTicket(ticket));
await step('use the ticket', () => new ActionsApi(other).actionDetails('mail'));
await step('web script', () => new WebscriptApi(other).executeWebScript('GET', 'api/actiondefinitions'));
const useByAnother = () => new ActionsApi(client({ ticketEcm: ticket })).actionDetails('mail');
await step('made with the ticket', useByAnother);
await step('log out', () => api.logout());
await step('is logged in', async () => api.isLoggedIn());
await step('use the dead ticket', () => new ActionsApi(other).actionDetails('mail'));
await step('log in with the dead ticket', () => client().loginTicket(ticket));
await step('made with the dead ticket', useByAnother);
await step('wrong password', () => client().login(name, `not ${password}`));
await step('log in again', () => client().login(name, password));
process.stdout.write(JSON.stringify(told));
