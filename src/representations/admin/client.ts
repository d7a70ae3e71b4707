import type { RegisteredClient } from '../../domain/client.ts';
import { Type } from '../../schema.ts';
import type { Representation } from '../representation.ts';

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
