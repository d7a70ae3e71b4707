import { type AnyOperation, answer, operation } from '../../../core/operation.ts';
import type { Representation } from '../../../core/representations/representation.ts';
import { Type } from '../../../core/schema.ts';
import { openApiDocument } from '../openapi/document.ts';

/** The operations to describe, and below which base path. */
interface DescribedOperations {
  readonly operations: readonly AnyOperation[];
  readonly basePath: string;
}

/** The operations as an OpenAPI document. */
const openApiShown = {
  schema: Type.Object({
    openapi: Type.String({ pattern: '^3\\.1\\.' }),
    info: Type.Object({}, { additionalProperties: true }),
    servers: Type.Array(Type.Object({ url: Type.String() })),
    tags: Type.Array(Type.Object({ name: Type.String() })),
    paths: Type.Record(Type.String(), Type.Unknown()),
    components: Type.Object({}, { additionalProperties: true }),
  }),
  json: ({ operations, basePath }: DescribedOperations) => openApiDocument(operations, basePath),
} satisfies Representation<DescribedOperations>;

/** Specification, section 9: all operations, as an OpenAPI document. */
export default operation({
  id: 'org/service/repository/openapi.get',
  summary: 'Describe every operation in an OpenAPI document.',
  lifecycle: 'public_api',
  family: 'Description',
  method: 'GET',
  paths: ['/openapi'],
  authentication: 'none',
  transaction: 'none',
  access: 'none',
  formatStyle: 'any',
  defaultFormat: 'json',
  describes: true,
  input: {},
  output: openApiShown,
  refusals: [],
  perform: async ({ operations, basePath }) => answer({ operations, basePath }, { sameAs: basePath }),
});
