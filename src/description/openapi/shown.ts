import type { AnyOperation } from '../../operation.ts';
import type { Representation } from '../../representations/representation.ts';
import { Type } from '../../schema.ts';
import { openApiDocument } from './document.ts';

/** The operations to describe, and below which base path. */
export interface DescribedOperations {
  readonly operations: readonly AnyOperation[];
  readonly basePath: string;
}

/** The operations as an OpenAPI document. */
export const openApiShown = {
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
