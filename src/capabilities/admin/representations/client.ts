import type { RegisteredClient } from '../../../core/domain/client.ts';
import type { Representation } from '../../../core/representations/representation.ts';
import { Type } from '../../../core/schema.ts';

const members = { name: Type.String(), addedAt: Type.String({ format: 'date-time' }) };

/** The JSON of a client, without its secret. */
export function clientJson({ name, addedAt }: RegisteredClient) {
  return { name, addedAt: new Date(addedAt).toISOString() };
}

export const clientShown = {
  schema: Type.Object(members, { title: 'Client' }),
  json: clientJson,
} satisfies Representation<RegisteredClient>;

/** A new client with its secret, which no later answer shows. */
export const newClientShown = {
  schema: Type.Object({ ...members, secret: Type.String() }, { title: 'New client' }),
  json: ({ secret, ...added }) => ({ ...clientJson(added), secret }),
} satisfies Representation<RegisteredClient & { readonly secret: string }>;
