import { type CheckResult, type DoctorCheck, ok, sentence, skipped } from '../../faces/cli/doctor-check.ts';
import { loadProviders } from './load.ts';

/** The providers of the document; none if it cannot be loaded, which the check of the documents tells. */
function configurationsIn(file: string) {
  try {
    return loadProviders(file);
  } catch {
    return [];
  }
}

/** The identity providers: the check of `providers check`. */
export const providersCheck: DoctorCheck = {
  name: 'providers',
  page: 'docs/how-to/sign-in-with-a-provider.md',
  async look({ settings }) {
    const { providers: file } = settings;
    if (file === '') return [skipped('none is set')];
    const { checkProvider } = await import('./check-provider.ts');
    const results: CheckResult[] = [];
    for (const configuration of configurationsIn(file)) {
      const { id } = configuration;
      const { steps } = await checkProvider(configuration, settings, Date.now);
      const wrong = steps.filter((step) => !step.ok);
      results.push(...wrong.map(({ found }) => sentence('fault', `${id}: ${found}`)));
      if (wrong.length === 0) results.push(ok(`${id}: ${steps.length} steps are right`));
    }
    return results.length > 0 ? results : [skipped('their document cannot be loaded')];
  },
};
