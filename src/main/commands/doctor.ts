import type { MakeCommand } from '../../faces/cli/terminal.ts';
import { doctorWith } from '../../tools/doctor/doctor.ts';
import { CAPABILITIES } from '../capabilities.ts';

const checksOfCapabilities = async () =>
  (await Promise.all(CAPABILITIES.map(({ checks }) => checks?.() ?? []))).flat();

/** `tessera doctor` */
export const doctorCommand: MakeCommand = (terminal) => doctorWith(checksOfCapabilities, terminal);
