import { type DoctorCheck, ok, orOk } from '../../faces/cli/doctor-check.ts';

/** Settings of PostgreSQL and Redis by which an accident loses what was acknowledged. */
export const durabilityCheck: DoctorCheck = {
  name: 'durability',
  page: 'docs/how-to/several-machines.md',
  needsStore: true,
  async look({ store }) {
    const { report } = await store();
    if (report === undefined)
      return [ok('the embedded store writes each change to the disk before it answers')];
    const { findings } = await report();
    return orOk(findings, 'a crash or the promotion of a standby loses nothing that was acknowledged');
  },
};
