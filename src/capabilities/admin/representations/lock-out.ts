import { isoTime } from '../../../core/domain/iso-time.ts';
import type { LockOut } from '../../../core/domain/lockout.ts';
import { optionalTime } from '../../../core/representations/admin/times.ts';
import type { Representation } from '../../../core/representations/representation.ts';
import { Type } from '../../../core/schema.ts';

/** The JSON of a wait or a lock-out. JSON leaves out members that are undefined. */
export function lockOutJson({ user, address, reason, failures, since, until }: LockOut) {
  return { user, address, reason, failures, since: isoTime(since), until: isoTime(until) };
}

const optional = (description: string) => Type.Optional(Type.String({ description }));

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
    since: optionalTime('The first of these failures or, of a lock by hand, when it was locked.'),
    until: optionalTime(
      'When passwords are looked at again. A lock by hand has none: it lasts until it is lifted.',
    ),
  },
  { title: 'Lock-out' },
);

/** All waits and lock-outs of one user. */
export const lockOutsShown = {
  schema: Type.Object({ items: Type.Array(lockOutSchema) }),
  json: (all) => ({ items: all.map(lockOutJson) }),
} satisfies Representation<readonly LockOut[]>;
