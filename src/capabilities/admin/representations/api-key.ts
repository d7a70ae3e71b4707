import type { ApiKey } from '../../../core/domain/api-key.ts';
import { isoTime } from '../../../core/domain/iso-time.ts';
import { KEY_ROLES } from '../../../core/domain/role.ts';
import { oneOf } from '../../../core/representations/admin/one-of.ts';
import type { Representation } from '../../../core/representations/representation.ts';
import { Type } from '../../../core/schema.ts';

const time = Type.String({ format: 'date-time' });

const members = {
  name: Type.String(),
  role: oneOf(KEY_ROLES),
  addedAt: time,
  expiresAt: Type.Optional(time),
  usedAt: Type.Optional(time),
};

/** The JSON of an API key, without the key itself. JSON leaves out members that are undefined. */
export function apiKeyJson({ name, role, addedAt, expiresAt, usedAt }: ApiKey) {
  return { name, role, addedAt: isoTime(addedAt), expiresAt: isoTime(expiresAt), usedAt: isoTime(usedAt) };
}

/** `If-Match` leaves `usedAt` out: a key that is in use could hardly be removed otherwise. */
export const apiKeyShown = {
  schema: Type.Object(members, { title: 'API key' }),
  json: apiKeyJson,
  state: ({ usedAt: _, ...fields }) => apiKeyJson({ ...fields, usedAt: undefined }),
} satisfies Representation<ApiKey>;

/** A new API key with its text, which no later answer shows. */
export const newApiKeyShown = {
  schema: Type.Object({ ...members, key: Type.String() }, { title: 'New API key' }),
  json: ({ key, ...added }) => ({ ...apiKeyJson(added), key }),
} satisfies Representation<ApiKey & { readonly key: string }>;
