import { type CheckResult, type DoctorCheck, orOk, sentence, skipped } from '../../faces/cli/doctor-check.ts';
import { directoryOptionsIn } from './assembly.ts';

/** The directory: the walk of `ldap check`, without a person. */
export const directoryCheck: DoctorCheck = {
  name: 'directory',
  page: 'docs/how-to/log-in-with-a-directory.md',
  async look({ settings }) {
    if (settings.ldapUrls.length === 0) return [skipped('none is set')];
    const { checkDirectory } = await import('./check/check.ts');
    const options = await directoryOptionsIn(settings, () => undefined);
    const findings: CheckResult[] = [];
    let steps = 0;
    for await (const part of checkDirectory({ options, onPerson: () => undefined })) {
      for await (const { ok, name, found } of part.steps) {
        steps += 1;
        if (!ok) findings.push(sentence('fault', `${part.about}, ${name}: ${found}`));
      }
    }
    return orOk(findings, `${steps} steps are right: 'tessera ldap check NAME' looks at one user`);
  },
};
