import { Directory } from '../directory.ts';
import type { DirectoryOptions } from '../options.ts';
import { AccountSearch, checkSearches } from './people.ts';
import { type CheckedPerson, checkPerson, type PersonToCheck } from './person.ts';
import { checkServer } from './server.ts';
import { type CheckStep, runSteps } from './steps.ts';

/** A part of a check: what it is about, and its steps. */
export interface CheckPart {
  readonly about: string;
  readonly steps: AsyncGenerator<CheckStep, unknown>;
}

/** The input of a check of a directory. */
export interface DirectoryCheck {
  readonly options: DirectoryOptions;
  /** Missing: no person is looked for. */
  readonly checked?: PersonToCheck | undefined;
  /** Called with the person that was found, before the check ends. */
  readonly onPerson: (person: CheckedPerson) => void;
}

/** The filters and attributes in force: the settings, and the defaults of the kind of directory. */
export function settingsSteps(options: DirectoryOptions): CheckStep[] {
  const { userFilter, userBase, groupFilter, groupBase, attributes } = options;
  const mapped = Object.entries(attributes).flatMap(([field, name]) => (name ? [`${field}=${name}`] : []));
  const step = (name: string, found: string) => ({ name, ok: true, found });
  return [
    step('users', `${userFilter} below ${userBase}`),
    step('groups', groupBase === '' ? 'none are read' : `${groupFilter} below ${groupBase}`),
    step('attributes', mapped.join(', ')),
  ];
}

/** Passes the steps of a part on, and hands their result to `note`. */
async function* noting<T>(
  steps: AsyncGenerator<CheckStep, T>,
  note: (result: T) => void,
): AsyncGenerator<CheckStep> {
  note(yield* steps);
}

/**
 * Checks each server; then, on the first server that answers, the bases, the filters and one person. The steps of a part run as
 * the caller iterates over them: iterate over all of them before the next part. Ends early if no later part can work.
 */
export async function* checkDirectory({
  options,
  checked,
  onPerson,
}: DirectoryCheck): AsyncGenerator<CheckPart> {
  const usable: string[] = [];
  for (const url of options.servers) {
    const note = (isUsable: boolean) => void (isUsable && usable.push(url));
    yield { about: url, steps: noting(checkServer(url, options), note) };
  }
  const [url] = usable;
  if (url === undefined) return;
  let search: AccountSearch;
  try {
    search = await AccountSearch.open(url, options);
  } catch (error) {
    const fail = () => Promise.reject(error);
    return yield { about: 'searches', steps: runSteps([['connection', fail]]) };
  }
  const directory = new Directory({ ...options, servers: usable }, Date.now);
  try {
    let canGoOn = false;
    const note = (found: boolean) => {
      canGoOn = found;
    };
    yield { about: 'searches', steps: noting(checkSearches(search, options), note) };
    if (!canGoOn || checked === undefined) return;
    const person = (found: CheckedPerson | undefined) => void (found && onPerson(found));
    yield { about: checked.name, steps: noting(checkPerson(search, directory, options, checked), person) };
  } finally {
    directory.close();
    search.close();
  }
}
