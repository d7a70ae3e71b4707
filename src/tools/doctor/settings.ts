import { type DoctorCheck, orOk } from '../../faces/cli/doctor-check.ts';

/** Valid settings that are dangerous. Faulty settings end the doctor before any check. */
export const settingsCheck: DoctorCheck = {
  name: 'settings',
  page: 'docs/how-to/settings.md',
  async look({ settings, table, inEffect }) {
    const own = inEffect.filter(({ from }) => from !== 'default').length;
    return orOk(table.dangersOf(settings), `${own} ${own === 1 ? 'is' : 'are'} given, none is dangerous`);
  },
};
