import type { TestContext } from 'node:test';
import type { CaseFile } from '../../../conformance/player/case-file.ts';
import type { CaseResult, CaseVerdict } from '../../../conformance/player/play.ts';
import { playCases, serverOf } from '../../../conformance/player/run.ts';
import { loadCases } from '../../../src/tools/conformance/run.ts';
import { PASSWORD, startTestService, type TestService } from '../../service/start.ts';

/** The verdict of each case, by its name. */
export type Verdicts = Readonly<Record<string, CaseVerdict>>;

/** A service with all the accounts that cases need. */
export async function serviceWithAccounts(t: TestContext): Promise<TestService> {
  const service = await startTestService(t);
  for (const name of ['ana', 'bob']) await service.addUser(name);
  await service.addUser('guest', { password: undefined });
  return service;
}

/** Plays files of cases, by default the published ones, with the accounts of {@link serviceWithAccounts}. */
export async function play(base: string, files: readonly CaseFile[] = loadCases()): Promise<CaseResult[]> {
  const subject = {
    url: new URL(base),
    account: { user: 'ana', password: PASSWORD },
    other: { user: 'bob', password: PASSWORD },
    guest: 'guest',
    node: 'workspace/SpacesStore/company-home',
    path: 'workspace/SpacesStore/Company Home',
  };
  const server = serverOf(subject, () => undefined);
  const done: CaseResult[] = [];
  for await (const played of playCases(files, subject, server)) done.push(played);
  return done;
}

/** The published cases with these names. */
export function casesNamed(...names: readonly string[]): CaseFile[] {
  const files = loadCases().map((file) => ({
    ...file,
    cases: file.cases.filter(({ name }) => names.includes(name)),
  }));
  const found = files.filter(({ cases }) => cases.length > 0);
  if (found.flatMap(({ cases }) => cases).length !== names.length)
    throw new Error(`not all of these are cases: ${names.join(', ')}`);
  return found;
}

/** The verdict of each case, by its name. */
export function verdictsOf(done: readonly CaseResult[]): Verdicts {
  return Object.fromEntries(done.map(({ played, verdict }) => [played.name, verdict]));
}
