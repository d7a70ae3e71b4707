import { groupKey } from '../../core/domain/group.ts';
import {
  type CheckResult,
  type DoctorCheck,
  fault,
  orOk,
  skipped,
  warning,
} from '../../faces/cli/doctor-check.ts';
import { faultOfSettings } from './faults.ts';

/** The applications: whether people can sign in to them as they are registered. */
export const applicationsCheck: DoctorCheck = {
  name: 'applications',
  page: 'docs/how-to/single-sign-on.md',
  needsStore: true,
  async look({ settings, store }) {
    const { store: opened } = await store();
    return opened.read(async ({ applications, groups }) => {
      const registered = await applications.list();
      if (registered.length === 0) return [skipped('none is registered')];
      const findings: CheckResult[] = [];
      if (settings.issuer === '')
        findings.push(
          warning('TESSERA_ISSUER is not set, so nobody can sign in to them', 'set TESSERA_ISSUER'),
        );
      for (const { name, settings: its } of registered) {
        const mend = `mend it by 'tessera applications change ${name}'`;
        const wrong = faultOfSettings(its);
        if (wrong !== undefined) findings.push(fault(`${name}: ${wrong.sentence}`, mend));
        for (const group of its.groups ?? [])
          if ((await groups.findByKey(groupKey(group))) === undefined)
            findings.push(warning(`${name} is for the group "${group}", which does not exist`, mend));
      }
      return orOk(findings, `nothing is wrong with their settings (${registered.length} are registered)`);
    });
  },
};
