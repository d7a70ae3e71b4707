import type { Representation } from '../../../core/representations/representation.ts';
import { Type } from '../../../core/schema.ts';
import { type Application, applicationSettings } from '../application.ts';

const members = {
  name: Type.String({ description: 'Its client_id.' }),
  addedAt: Type.String({ format: 'date-time' }),
  hasSecret: Type.Boolean({ description: 'Whether it proves itself by a secret.' }),
  settings: applicationSettings,
};

export function applicationJson({ name, addedAt, secretDigest, settings }: Application) {
  const hasSecret = secretDigest !== undefined;
  return { name, addedAt: new Date(addedAt).toISOString(), hasSecret, settings };
}

export const applicationShown = {
  schema: Type.Object(members, { title: 'Application' }),
  json: applicationJson,
} satisfies Representation<Application>;

/** An application, with its secret if the call made one: no later answer shows it. */
export const changedApplicationShown = {
  schema: Type.Object(
    {
      ...members,
      secret: Type.Optional(Type.String({ description: 'Its new secret, in this answer and in no other.' })),
    },
    { title: 'Changed application' },
  ),
  json: ({ secret, ...application }) => ({
    ...applicationJson(application),
    ...(secret !== undefined && { secret }),
  }),
} satisfies Representation<Application & { readonly secret?: string | undefined }>;
