import { loadCatalogue } from '../../capabilities/action-definitions/catalogue/load.ts';
import { loadProviders } from '../../capabilities/oidc/load.ts';
import { loadRules } from '../../capabilities/proxy-gate/rules/load.ts';
import { loadReceivers } from '../../capabilities/webhooks/load.ts';
import { faultOfBreachedFile } from '../../core/identity/breached-passwords.ts';
import { type Settings, variableOf } from '../../core/settings/table.ts';
import {
  type CheckResult,
  type DoctorCheck,
  fault,
  messageOf,
  ok,
  sentence,
} from '../../faces/cli/doctor-check.ts';

/** The documents that settings name, and how each is loaded. Loading throws its faults, one on each line. */
const DOCUMENTS = {
  definitions: (settings: Settings) => void catalogueOf(settings),
  model: (settings: Settings) => void catalogueOf(settings),
  gateRules: ({ gateRules, namesCaseSensitive }: Settings) => void loadRules(gateRules, namesCaseSensitive),
  providers: ({ providers }: Settings) => void loadProviders(providers),
  webhooks: ({ webhooks }: Settings) => void loadReceivers(webhooks),
};

const catalogueOf = ({ definitions, definitionsGeneration: generation, model }: Settings) =>
  loadCatalogue({ definitions, generation, model });

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
  async look({ settings }) {
    const named = (Object.keys(DOCUMENTS) as (keyof typeof DOCUMENTS)[]).filter(
      (key) => settings[key] !== '',
    );
    const results = named.flatMap((key) => {
      const [first, ...more] = faultsOf(DOCUMENTS[key], settings);
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
