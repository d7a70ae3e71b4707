import type { Arrival } from '../../../../core/domain/administration.ts';
import type { RunningService } from '../../../../core/domain/running-service.ts';
import { adminOperation, answer } from '../../../../core/operation.ts';
import type { Representation } from '../../../../core/representations/representation.ts';
import { Type } from '../../../../core/schema.ts';

/** The state of the service. Times are epoch milliseconds. */
export interface ServerStatus {
  readonly edition: string;
  readonly announcedVersion: string;
  readonly version: string;
  readonly startedAt: number;
  readonly now: number;
  readonly storage: RunningService['engines'];
  readonly users: number;
  readonly liveTickets: number | undefined;
  readonly hashesWaiting: number;
  readonly actionDefinitions: number;
  readonly arrival: Arrival | undefined;
}

const time = Type.String({ format: 'date-time' });

const serverStatusShown = {
  schema: Type.Object({
    version: Type.String({ description: 'The version of Tessera.' }),
    edition: Type.String({ description: 'As /api/server announces it.' }),
    announcedVersion: Type.String({ description: 'As /api/server announces it.' }),
    startedAt: time,
    now: time,
    uptime: Type.Integer({ description: 'Whole seconds since the start.' }),
    storage: Type.Object({
      database: Type.String({ description: 'The engine of users, groups and events.' }),
      tickets: Type.String({ description: 'The engine of tickets and counters.' }),
    }),
    users: Type.Integer(),
    liveTickets: Type.Optional(
      Type.Integer({
        description:
          'Live tickets of the whole store, as counted last. Missing if another process counts them.',
      }),
    ),
    hashesWaiting: Type.Integer({ description: 'Logins of this process that wait for their password hash.' }),
    actionDefinitions: Type.Integer(),
    client: Type.Optional(
      Type.Object(
        {
          address: Type.String({ description: 'The client address, as events know it.' }),
          origin: Type.String({ description: 'The scheme and host that the client used.' }),
          byProxy: Type.Boolean({ description: 'Whether a trusted proxy passed the request on.' }),
        },
        { description: 'How this request arrived, to check the headers that proxies set.' },
      ),
    ),
  }),
  json: ({ startedAt, now, arrival, ...counts }) => ({
    ...counts,
    ...(arrival && { client: { ...arrival } }),
    startedAt: new Date(startedAt).toISOString(),
    now: new Date(now).toISOString(),
    uptime: Math.max(0, Math.floor((now - startedAt) / 1_000)),
  }),
} satisfies Representation<ServerStatus>;

/** Specification, section 16: show the state of the service. */
export default adminOperation({
  id: 'org/service/repository/admin/status.get',
  summary: 'Show the state of the service: its version, its start, its engines and its counts.',
  method: 'GET',
  paths: ['/api/admin/status'],
  role: 'operator',
  input: {},
  output: serverStatusShown,
  refusals: [],
  tellsArrival: true,
  async perform({ store, now, startedAt, identity, service, arrival }) {
    return answer({
      version: service.version,
      edition: identity.edition,
      announcedVersion: identity.version,
      startedAt,
      now,
      storage: service.engines,
      users: await store.users.count(),
      liveTickets: service.liveTickets(),
      hashesWaiting: service.hashesWaiting(),
      actionDefinitions: service.counts().actionDefinitions ?? 0,
      arrival,
    });
  },
});
