import { groupKey } from '../../core/domain/group.ts';
import {
  type CheckResult,
  type DoctorCheck,
  fault,
  orOk,
  skipped,
  warning,
} from '../../faces/cli/doctor-check.ts';
import type { Application } from './application.ts';
import { ClientDocuments } from './client-documents.ts';
import { faultOfSettings, hasDocument } from './faults.ts';

async function documentFaults(registered: readonly Application[]): Promise<CheckResult[]> {
  const documents = new ClientDocuments(Date.now);
  const reading = registered
    .filter(({ name }) => hasDocument(name))
    .map(({ name }) =>
      documents.of(name).then(
        () => [],
        ({ message }: Error) =>
          fault(`the document at ${name} cannot be used: ${message}`, 'ask whoever offers that program'),
      ),
    );
  return (await Promise.all(reading)).flat();
}

/** The applications: whether people can sign in to them as they are registered. */
export const applicationsCheck: DoctorCheck = {
  name: 'applications',
  page: 'docs/how-to/single-sign-on.md',
  needsStore: true,
  async look({ settings, store }) {
    const { store: opened } = await store();
    const registered = await opened.read(({ applications }) => applications.list());
    const unreadable = await documentFaults(registered);
    return opened.read(async ({ groups }) => {
      if (registered.length === 0) return [skipped('none is registered')];
      const findings: CheckResult[] = [...unreadable];
      if (settings.issuer === '')
        findings.push(
          warning('TESSERA_ISSUER is not set, so nobody can sign in to them', 'set TESSERA_ISSUER'),
        );
      for (const { name, settings: its } of registered) {
        const mend = `mend it by 'tessera applications change ${name}'`;
        const wrong = faultOfSettings(its, name);
        if (wrong !== undefined) findings.push(fault(`${name}: ${wrong.sentence}`, mend));
        for (const group of its.groups ?? [])
          if ((await groups.findByKey(groupKey(group))) === undefined)
            findings.push(warning(`${name} is for the group "${group}", which does not exist`, mend));
      }
      return orOk(findings, `nothing is wrong with their settings (${registered.length} are registered)`);
    });
  },
};
