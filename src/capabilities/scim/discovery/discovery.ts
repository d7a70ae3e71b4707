import { isRefusal, refuse } from '../../../core/domain/refusal.ts';
import { answer, operation } from '../../../core/operation.ts';
import { Type } from '../../../core/schema.ts';
import type { Attributes } from '../attributes.ts';
import { SCIM_CALL } from '../call.ts';
import { MOST_LISTED } from '../paging.ts';
import { pageShown, resourceShown, type Selection } from '../shown.ts';
import { RESOURCE_TYPES, SCHEMAS } from './schemas.ts';

const WHOLE: Selection = { only: undefined, without: [] };

/** A document that describes a part of the service, with its address below the base path. */
interface DescribedPart extends Attributes {
  readonly meta: { readonly resourceType: string; readonly location: string };
}

const below = (basePath: string, of: DescribedPart): Attributes => ({
  ...of,
  meta: { ...of.meta, location: `${basePath}${of.meta.location}` },
});

const CONFIGURATION = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MOST_LISTED },
  changePassword: { supported: true },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'API key',
      description: 'An API key with the role scim, in the header Authorization with the scheme Bearer.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: '/ServiceProviderConfig' },
};

const configurationGet = operation({
  ...SCIM_CALL,
  id: 'org/service/repository/scim/discovery/configuration.get',
  summary: 'Show what the SCIM service can do.',
  method: 'GET',
  paths: ['/ServiceProviderConfig'],
  access: 'read',
  input: {},
  output: resourceShown,
  refusals: [],
  perform: ({ basePath }) => answer({ resource: below(basePath, CONFIGURATION), selection: WHOLE }),
});

/** The operations that list descriptions of one kind, and show one of them. */
function described(
  name: 'schemas' | 'resource-types',
  path: '/Schemas' | '/ResourceTypes',
  all: readonly (DescribedPart & { readonly id: string })[],
) {
  const list = operation({
    ...SCIM_CALL,
    id: `org/service/repository/scim/discovery/${name}.get`,
    summary: `List the ${name.replace('-', ' ')}.`,
    method: 'GET',
    paths: [path],
    access: 'read',
    input: {},
    output: pageShown,
    refusals: [],
    perform({ basePath }) {
      const resources = all.map((each) => below(basePath, each));
      return answer({ resources, total: all.length, startIndex: 1, selection: WHOLE });
    },
  });
  const one = operation({
    ...SCIM_CALL,
    id: `org/service/repository/scim/discovery/${name.replace(/s$/, '')}.get`,
    summary: `Show one of the ${name.replace('-', ' ')}.`,
    method: 'GET',
    paths: [`${path}/{id}`],
    access: 'read',
    input: { path: Type.Object({ id: Type.String({ description: 'Its `id`.' }) }) },
    output: resourceShown,
    refusals: ['path_unknown'],
    perform({ input: { path: parameters }, basePath }) {
      const found =
        all.find(({ id }) => id.toLowerCase() === parameters.id.toLowerCase()) ?? refuse('path_unknown');
      return isRefusal(found) ? found : answer({ resource: below(basePath, found), selection: WHOLE });
    },
  });
  return [list, one];
}

/** The operations by which the service describes itself (RFC 7644 section 4). */
export const DISCOVERY = [
  configurationGet,
  ...described('schemas', '/Schemas', SCHEMAS),
  ...described('resource-types', '/ResourceTypes', RESOURCE_TYPES),
];
