import type { Role } from '../../../core/domain/role.ts';
import type { TextKey } from '../texts/texts.ts';

/** A section of the console, as its navigation lists it. */
export interface ConsoleSection {
  readonly to: `/portal/console${string}`;
  readonly text: TextKey;
  /** The least role that may see it. */
  readonly role: Role;
}

/** The sections of the console, in the order of the navigation. */
export const CONSOLE_SECTIONS: readonly ConsoleSection[] = [
  { to: '/portal/console', text: 'console.start', role: 'auditor' },
  { to: '/portal/console/users', text: 'console.users', role: 'operator' },
  { to: '/portal/console/groups', text: 'console.groups', role: 'operator' },
  { to: '/portal/console/tickets', text: 'console.tickets', role: 'auditor' },
  { to: '/portal/console/events', text: 'console.events', role: 'auditor' },
  { to: '/portal/console/lock-outs', text: 'console.lockOuts', role: 'operator' },
  { to: '/portal/console/clients', text: 'console.clients', role: 'operator' },
  { to: '/portal/console/api-keys', text: 'console.apiKeys', role: 'operator' },
  { to: '/portal/console/settings', text: 'console.settings', role: 'operator' },
  { to: '/portal/console/actions', text: 'console.actions', role: 'operator' },
];
