import { type DoctorCheck, ok } from '../../faces/cli/doctor-check.ts';

/** Whether the store can be opened, as every command opens it. */
export const storeCheck: DoctorCheck = {
  name: 'store',
  page: 'docs/how-to/run.md',
  async look({ settings, store }) {
    await store();
    const tickets = settings.tickets === undefined ? '' : ', and the tickets in Redis';
    return [
      ok(
        settings.database === undefined
          ? `the embedded store can be opened${tickets}`
          : `the database can be opened${tickets}`,
      ),
    ];
  },
};
