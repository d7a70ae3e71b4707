import type { Capability } from '../capability.ts';

export const admin: Capability = {
  id: 'admin',
  operations: async () => (await import('./operations.ts')).OPERATIONS,
  pages: async (sections) => (await import('./pages.ts')).pagesWith(sections),
  commands: {
    tickets: async () => (await import('./commands/tickets.ts')).ticketsCommand,
    clients: async () => (await import('./commands/clients.ts')).clientsCommand,
    'api-keys': async () => (await import('./commands/api-keys.ts')).apiKeysCommand,
    events: async () => (await import('./commands/events.ts')).eventsCommand,
  },
};
