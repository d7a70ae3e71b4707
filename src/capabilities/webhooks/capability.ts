import type { Capability } from '../capability.ts';
import { webhookSettings } from './settings.ts';
import { webhooksTable } from './tables/outbox.ts';

export const webhooks: Capability = {
  id: 'webhooks',
  settings: webhookSettings,
  tables: [webhooksTable],
  operations: async () => (await import('./operations.ts')).OPERATIONS,
  pages: async () => (await import('./pages/console.ts')).CONSOLE_PAGES,
  commands: {
    webhooks: async () => (await import('./commands.ts')).webhooksCommand,
  },
  checks: async () => [(await import('./check.ts')).webhooksCheck],
  sweep: async () => (await import('./sweep.ts')).deliveriesSweep,
  documents: async () => {
    const { loadReceivers } = await import('./load.ts');
    return { webhooks: ({ webhooks: file }) => void loadReceivers(file) };
  },
  open: async (parts, before) => (await import('./assembly.ts')).openWebhooks(parts, before),
};
