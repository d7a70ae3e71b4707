import { faultOfBreachedFile } from '../../core/identity/breached-passwords.ts';
import { type SettingKey, type Settings, variableOf } from '../../core/settings/table.ts';
import {
  type CheckResult,
  type DoctorCheck,
  fault,
  messageOf,
  ok,
  sentence,
} from '../../faces/cli/doctor-check.ts';

/** The faults of one document; undefined if it can be loaded. */
function faultsOf(load: (settings: Settings) => void, settings: Settings): readonly string[] {
  try {
    load(settings);
    return [];
  } catch (error) {
    return messageOf(error)
      .split('\n')
      .map((line) => line.replace(/^- /, ''));
  }
}

async function breachedFile({ breachedPasswords }: Settings): Promise<readonly CheckResult[]> {
  if (breachedPasswords === '') return [];
  const why = await faultOfBreachedFile(breachedPasswords);
  const variable = variableOf('breachedPasswords');
  return why === undefined ? [ok(`${variable} can be searched`)] : [sentence('fault', `${variable}: ${why}`)];
}

/** The documents of the operator: whether the service could load them now. */
export const documentsCheck: DoctorCheck = {
  name: 'documents',
  page: 'docs/how-to/settings.md',
  async look({ settings, documents }) {
    const loaders = Object.entries(documents) as [SettingKey, (settings: Settings) => void][];
    const named = loaders.filter(([key]) => settings[key] !== '');
    const results = named.flatMap(([key, load]) => {
      const [first, ...more] = faultsOf(load, settings);
      if (first === undefined) return [ok(`${variableOf(key)} can be loaded`)];
      const what = [first, ...more].join('; ');
      return [
        fault(`${variableOf(key)}: ${what}`, 'mend the document: the service loads it without a restart'),
      ];
    });
    const all = [...results, ...(await breachedFile(settings))];
    return all.length > 0 ? all : [{ level: 'skipped', what: 'the settings name none' }];
  },
};
