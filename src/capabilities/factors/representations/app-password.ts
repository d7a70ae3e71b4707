import type { AppPassword } from '../../../core/domain/app-password.ts';
import { isoTime } from '../../../core/domain/iso-time.ts';
import { optionalTime } from '../../../core/representations/admin/times.ts';
import type { Representation } from '../../../core/representations/representation.ts';
import { Type } from '../../../core/schema.ts';

/** An app password, and the number of live tickets that came from it. */
type AppPasswordShown = Omit<AppPassword, 'userId' | 'digest'> & { readonly tickets: number };

const members = {
  name: Type.String(),
  madeAt: Type.String({ format: 'date-time' }),
  expiresAt: optionalTime('From when on it is refused. Missing if it never ends.'),
  usedAt: optionalTime(
    'The last use that was written, at most a minute before the real one. Missing if it was never used.',
  ),
  addresses: Type.Array(Type.String(), {
    description: 'The addresses and blocks (CIDR notation) from which it works. Empty: from everywhere.',
  }),
  tickets: Type.Integer({ description: 'The live tickets that came from it.' }),
};

export const appPasswordShown = Type.Object(members, { title: 'App password' });

/** The JSON of an app password, without the password itself. JSON leaves out members that are undefined. */
export function appPasswordJson({ name, madeAt, expiresAt, usedAt, addresses, tickets }: AppPasswordShown) {
  return {
    name,
    madeAt: isoTime(madeAt),
    expiresAt: isoTime(expiresAt),
    usedAt: isoTime(usedAt),
    addresses,
    tickets,
  };
}

/** A new app password with its text, which no later answer shows. */
export const newAppPasswordShown = {
  schema: Type.Object({ ...members, password: Type.String() }, { title: 'New app password' }),
  json: ({ password, ...appPassword }) => ({ ...appPasswordJson(appPassword), password }),
} satisfies Representation<AppPasswordShown & { readonly password: string }>;
