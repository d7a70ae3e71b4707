import { ADMIN } from '../../api.ts';
import { answer, operation } from '../../operation.ts';
import type { Representation } from '../../representations/representation.ts';
import { Type } from '../../schema.ts';

/** How the service is. Times are epoch milliseconds. */
interface ServerStatus {
  readonly edition: string;
  readonly version: string;
  readonly startedAt: number;
  readonly now: number;
  readonly users: number;
  readonly actionDefinitions: number;
}

const time = Type.String({ format: 'date-time' });

const serverStatusShown = {
  schema: Type.Object({
    edition: Type.String(),
    version: Type.String(),
    startedAt: time,
    now: time,
    users: Type.Integer(),
    actionDefinitions: Type.Integer(),
  }),
  json: ({ startedAt, now, ...counts }) => ({
    ...counts,
    startedAt: new Date(startedAt).toISOString(),
    now: new Date(now).toISOString(),
  }),
} satisfies Representation<ServerStatus>;

/** `people.md` section 16: how the service is. */
export default operation({
  id: 'org/service/repository/admin/status.get',
  summary: 'Show how the service is: its version, since when it runs, and how much it holds.',
  lifecycle: 'public_api',
  family: 'Administration',
  api: ADMIN,
  method: 'GET',
  paths: ['/api/admin/status'],
  authentication: 'admin',
  role: 'operator',
  transaction: 'required',
  access: 'read',
  formatStyle: 'argument',
  defaultFormat: 'json',
  input: {},
  output: serverStatusShown,
  refusals: [],
  async perform({ store, now, startedAt, identity: { edition, version }, currentCatalogue }) {
    const users = await store.users.count();
    const actionDefinitions = currentCatalogue().definitions.length;
    return answer({ edition, version, startedAt, now, users, actionDefinitions });
  },
});
