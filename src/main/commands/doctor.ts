import type { MakeCommand } from '../../faces/cli/terminal.ts';
import { doctorWith } from '../../tools/doctor/doctor.ts';
import { CAPABILITIES } from '../capabilities.ts';

/** `tessera doctor` */
export const doctorCommand: MakeCommand = (terminal) =>
  doctorWith(
    {
      checks: async () => (await Promise.all(CAPABILITIES.map(({ checks }) => checks?.() ?? []))).flat(),
      documents: async () =>
        Object.assign({}, ...(await Promise.all(CAPABILITIES.map(({ documents }) => documents?.())))),
    },
    terminal,
  );
