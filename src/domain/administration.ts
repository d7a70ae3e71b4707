import type { Role } from './role.ts';
import type { Holder } from './user.ts';

/** Who administers: a user, or a machine by an API key. */
export interface Actor {
  /** As events name it: the name of the user, or `key:` and the name of the key. No name of a user has a colon. */
  readonly name: string;
  readonly role: Role;
  /** Undefined for an API key. */
  readonly user?: Holder | undefined;
}

/** The name of an API key as the one who acts. */
export function actorOfKey(name: string): string {
  return `key:${name}`;
}
