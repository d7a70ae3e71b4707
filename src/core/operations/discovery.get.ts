import { V1 } from '../api.ts';
import { presentIdOf, type ServerIdentity } from '../domain/server-identity.ts';
import { answer, operation } from '../operation.ts';
import type { Representation } from '../representations/representation.ts';
import { Type } from '../schema.ts';

/** A service as the v1 API describes it: its identity, and the id of its database. */
interface Discovered {
  readonly id: string;
  readonly identity: ServerIdentity;
}

/** The parts of a version such as `5.2.2.1 (2039)`: numbers, and the build in brackets. */
function versionOf({ version, schema }: ServerIdentity) {
  const [numbers = '', label = ''] = version.replace(/\)$/, '').split(' (');
  const [major = '', minor = '', patch = '', hotfix = '0'] = numbers.split('.');
  const build = label === '' ? '' : ` (${label})`;
  const display = `${major}.${minor}.${patch}.${hotfix}${build} schema ${schema}`;
  return { major, minor, patch, hotfix, schema: Number(schema), label, display };
}

const text = Type.String();
const flag = Type.Boolean();

const discoveryShown = {
  schema: Type.Object({
    entry: Type.Object({
      repository: Type.Object({
        id: text,
        edition: text,
        version: Type.Object({
          major: text,
          minor: text,
          patch: text,
          hotfix: text,
          schema: Type.Integer(),
          label: text,
          display: text,
        }),
        status: Type.Object({
          isReadOnly: flag,
          isAuditEnabled: flag,
          isQuickShareEnabled: flag,
          isThumbnailGenerationEnabled: flag,
        }),
        modules: Type.Array(Type.Unknown()),
      }),
    }),
  }),
  json: ({ id, identity }) => ({
    entry: {
      repository: {
        id,
        edition: identity.edition,
        version: versionOf(identity),
        status: {
          isReadOnly: false,
          isAuditEnabled: true,
          isQuickShareEnabled: false,
          isThumbnailGenerationEnabled: false,
        },
        modules: [],
      },
    },
  }),
} satisfies Representation<Discovered>;

/** Specification, section 12: what the v1 API says of the service. */
export default operation({
  id: 'org/service/repository/discovery.get',
  summary: 'Tell the edition, version and abilities of this server, by the v1 API.',
  lifecycle: 'public_api',
  family: 'Server',
  api: { ...V1, basePaths: ['/alfresco/api', '/api'] },
  method: 'GET',
  paths: ['/discovery'],
  authentication: 'none',
  transaction: 'required',
  access: 'read',
  formatStyle: 'argument',
  defaultFormat: 'json',
  describes: true,
  input: {},
  output: discoveryShown,
  refusals: [],
  perform: async ({ store, identity }) =>
    answer({ id: presentIdOf(await store.users.databaseId()), identity }),
});
