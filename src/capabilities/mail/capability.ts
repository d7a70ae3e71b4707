import type { Capability } from '../capability.ts';
import { passwordLinksTable } from './tables/password-links.ts';

export const mail: Capability = {
  id: 'mail',
  tables: [passwordLinksTable],
  sweep: async () => (await import('./sweep.ts')).linksSweep,
};
