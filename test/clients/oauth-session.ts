import { once } from 'node:events';
import { createRequire } from 'node:module';

/** What the generations of `@alfresco/js-api` have in common when they log in at an identity provider. */
interface Api {
  readonly config: { readonly ticketEcm?: string };
  readonly oauth2Auth: { on(event: string, hear: () => void): void };
  login(name: string, password: string): Promise<unknown>;
  on(event: string, hear: (value: unknown) => void): void;
}

interface Library {
  readonly AlfrescoApi: new (config: object) => Api;
  readonly PeopleApi: new (api: Api) => { getPerson(id: string): Promise<{ entry: { id: string } }> };
  readonly WebscriptApi: new (
    api: Api,
  ) => { executeWebScript(method: string, path: string): Promise<unknown> };
}

const [library = '', hostEcm = '', host = '', password = ''] = process.argv.slice(2);
const { AlfrescoApi, PeopleApi, WebscriptApi } = createRequire(import.meta.url)(library) as Library;

const idOf = async (api: Api) => (await new PeopleApi(api).getPerson('-me-')).entry.id;

const oauth2 = { host, clientId: 'program', scope: 'openid', secret: '', implicitFlow: false };
const api = new AlfrescoApi({ hostEcm, provider: 'ECM', authType: 'OAUTH', oauth2 });
api.on('error', () => undefined);
const exchanged = once(api.oauth2Auth as never, 'ticket_exchanged');
await api.login('anna', password);
await exchanged;
const { ticketEcm } = api.config;
const byTicket = new AlfrescoApi({ hostEcm, provider: 'ECM', authType: 'BASIC', ticketEcm });
const told = {
  ticket: ticketEcm,
  byToken: await idOf(api),
  webScript: typeof (await new WebscriptApi(api).executeWebScript('GET', 'api/actiondefinitions')),
  byTicket: await idOf(byTicket),
};
process.stdout.write(JSON.stringify(told));
process.exit();
