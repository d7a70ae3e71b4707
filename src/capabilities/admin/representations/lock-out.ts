import type { LockOut } from '../../../core/domain/lockout.ts';
import type { Representation } from '../../../core/representations/representation.ts';
import { Type } from '../../../core/schema.ts';

const text = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());

/** The JSON of a wait or a lock-out. JSON leaves out members that are undefined. */
export function lockOutJson({ user, address, reason, failures, since, until }: LockOut) {
  return { user, address, reason, failures, since: text(since), until: text(until) };
}

const optional = (description: string) => Type.Optional(Type.String({ description }));
const time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

export const lockOutSchema = Type.Object(
  {
    user: optional('Missing where an address waits with every name.'),
    address: optional(
      'The address whose logins are refused. Missing if all addresses but familiar ones are refused.',
    ),
    reason: Type.String({
      description: 'locked, locked-by-hand, waiting, network-waiting or address-waiting',
    }),
    failures: Type.Integer({ description: 'Consecutive failures that count.' }),
    since: time('The first of these failures or, of a lock by hand, when it was locked.'),
    until: time('When passwords are looked at again. A lock by hand has none: it lasts until it is lifted.'),
  },
  { title: 'Lock-out' },
);

/** All waits and lock-outs of one user. */
export const lockOutsShown = {
  schema: Type.Object({ items: Type.Array(lockOutSchema) }),
  json: (all) => ({ items: all.map(lockOutJson) }),
} satisfies Representation<readonly LockOut[]>;
