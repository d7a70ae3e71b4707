import { DocumentsFaulty } from '../../core/documents/read-document.ts';
import { groupKey } from '../../core/domain/group.ts';
import { CommandRefused } from '../../faces/cli/failure.ts';
import { allGroups, groupSteps, missingGroups, unnamedGroups } from './groups.ts';
import { isMany, type PlanStep, type Pruned, removals, type StateKind, type Unnamed } from './plan.ts';
import {
  apiKeySteps,
  applicationSteps,
  clientSteps,
  sharedDigests,
  unnamedApiKeys,
  unnamedApplications,
  unnamedClients,
} from './programs.ts';
import type { PeopleReads } from './stored-people.ts';
import { type UserTools, unnamedUsers, userSteps } from './users.ts';
import type { WantedState } from './wanted.ts';

/** How a document is applied. */
export interface Applying extends UserTools {
  /** Whether to remove what the lists of the document do not name. */
  readonly prune: boolean;
  /** Whether this may be more than half of what is stored. */
  readonly pruneMany: boolean;
  /** The users that may differ; all users of the document if undefined. */
  readonly only?: ReadonlySet<string>;
}

interface AllUnnamed {
  readonly of: Readonly<Record<Exclude<StateKind, 'gateRule'>, readonly Unnamed[]>>;
  readonly pruned: readonly Pruned[];
}

/** The registered clients that are no applications, neither here nor in the document: its list of clients is about these. */
async function plainClients(unit: PeopleReads, applications: WantedState['applications'] = []) {
  const names = new Set([...applications, ...(await unit.applications.list())].map(({ name }) => name));
  return (await unit.clients.list()).filter(({ name }) => !names.has(name));
}

/** The stored things that the lists of the document do not name. Kinds without a list are left out. */
async function allUnnamed(
  unit: PeopleReads,
  { groups, users, clients, applications, apiKeys }: WantedState,
): Promise<AllUnnamed> {
  const stored = {
    group: groups === undefined ? [] : await allGroups(unit),
    user: users === undefined ? [] : await unit.users.list(),
    client: await plainClients(unit, applications),
    application: await unit.applications.list(),
    apiKey: await unit.apiKeys.list(),
  };
  const of = {
    group: groups === undefined ? [] : await unnamedGroups(unit, groups, stored.group),
    user: users === undefined ? [] : await unnamedUsers(unit, users, stored.user),
    client: clients === undefined ? [] : unnamedClients(clients, stored.client),
    application: applications === undefined ? [] : unnamedApplications(applications, stored.application),
    apiKey: apiKeys === undefined ? [] : unnamedApiKeys(apiKeys, stored.apiKey),
  };
  const kinds = ['group', 'user', 'client', 'application', 'apiKey'] as const;
  const pruned = kinds.map((kind) => ({ kind, removed: of[kind].length, stored: stored[kind].length }));
  return { of, pruned };
}

const NONE: AllUnnamed = { of: { group: [], user: [], client: [], application: [], apiKey: [] }, pruned: [] };

const WORDS: Readonly<Record<StateKind, string>> = {
  group: 'groups',
  user: 'users',
  client: 'clients',
  application: 'applications',
  apiKey: 'API keys',
  gateRule: 'rules',
};

function refuseMany(pruned: readonly Pruned[]): void {
  const many = pruned.find(isMany);
  if (many === undefined) return;
  throw new CommandRefused(
    `Refused: --prune would remove ${many.removed} of ${many.stored} ${WORDS[many.kind]}. If the file is whole, give --prune-many too.`,
  );
}

/** The names of these, as their kind compares them. */
const namesOf = (unnamed: readonly Unnamed[], keyOf = (name: string) => name) =>
  new Set(unnamed.map(({ name }) => keyOf(name)));

/**
 * The steps that bring the store into the state of the document, in the order in which they have to run; none if it is in
 * that state. Throws {@link DocumentsFaulty} for entries that cannot be in this store, and {@link CommandRefused} if too
 * much would be removed.
 */
export async function planState(
  unit: PeopleReads,
  state: WantedState,
  applying: Applying,
): Promise<readonly PlanStep[]> {
  const { groups = [], users = [], clients = [], applications = [], apiKeys = [], faultAt } = state;
  const { of, pruned } = applying.prune ? await allUnnamed(unit, state) : NONE;
  if (!applying.pruneMany) refuseMany(pruned);
  const storedKeys = await unit.apiKeys.list();
  const { themselves, leaves, joins } = await groupSteps(unit, groups);
  const { only } = applying;
  const wantedUsers = only === undefined ? users : users.filter(({ pointer }) => only.has(pointer));
  const people = await userSteps(unit, wantedUsers, applying);
  const faults = [
    ...(await missingGroups(unit, state, namesOf(of.group, groupKey))),
    ...[...people.faults, ...sharedDigests(apiKeys, storedKeys, namesOf(of.apiKey))].map(([pointer, why]) =>
      faultAt(pointer, why),
    ),
  ];
  if (faults.length > 0) throw new DocumentsFaulty(faults);
  return [
    ...removals([...of.client, ...of.application, ...of.apiKey]),
    ...clientSteps(clients, await unit.clients.list()),
    ...applicationSteps(applications, await unit.applications.list()),
    ...apiKeySteps(apiKeys, storedKeys),
    ...themselves,
    ...leaves,
    ...joins,
    ...people.steps,
    ...removals([...of.user, ...of.group]),
  ];
}
