import type { Logger } from 'pino';
import type { User } from '../../core/domain/user.ts';
import type { Verifier } from '../../core/identity/verifiers/verifier.ts';
import { passwordFrom } from '../../core/settings/given.ts';
import type { Settings } from '../../core/settings/table.ts';
import { certificatesIn } from '../../core/settings/trusted-certificates.ts';
import type { Store } from '../../core/storage/store.ts';
import type { TakeOver } from '../../core/storage/take-over.ts';
import type { ExternalUserRules } from '../people/rules/external-users.ts';
import type { DirectoryOptions } from './options.ts';

/** What the directory is opened with. */
interface DirectoryParts {
  readonly settings: Settings;
  readonly store: Store;
  /** What capabilities remove of a local user whom a person of the directory takes over. */
  readonly takeOvers: readonly TakeOver[];
  /** Whether this process sweeps: one process of a service does so. */
  readonly sweeps: boolean;
  readonly log: Logger;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly onFault: (fault: unknown) => void;
}

/** The directory, opened, with the verifier that asks it. */
export interface OpenedDirectory {
  readonly verifier: Verifier;
  /** Whether the directory is asked about a wrong password of this local user. */
  readonly takesOver: (user: User) => boolean;
  /** Whether no server of it answered when it was asked last. */
  isSilent(): boolean;
  /** How many requests to its servers had each outcome. */
  readonly requests: ReadonlyMap<string, number>;
  /** Starts the periodic check whether its users may still log in, if this process sweeps. */
  startRechecks(): void;
  close(): Promise<void>;
}

/** The rule of Active Directory that finds nested groups. */
const IN_CHAIN = /:1\.2\.840\.113556\.1\.4\.1941:/g;

/** How the directory that is set is asked. Throws `SettingsFaulty` if its file of certificates cannot be used. */
export async function directoryOptionsIn(
  settings: Settings,
  onServer: DirectoryOptions['onServer'],
): Promise<DirectoryOptions> {
  const { KINDS } = await import('./kinds.ts');
  const kind = KINDS[settings.ldapKind];
  const { ldapNestedGroups: nestedGroups, ldapAttributes } = settings;
  const given = Object.entries(ldapAttributes).map(([field, attribute]) => [field, attribute || undefined]);
  const groupFilter = nestedGroups ? kind.groupFilter : kind.groupFilter.replaceAll(IN_CHAIN, '');
  return {
    servers: settings.ldapUrls,
    startTls: settings.ldapStartTls,
    ca: certificatesIn('ldapCa', settings.ldapCa),
    bindDn: settings.ldapBindDn,
    bindPassword: passwordFrom(settings.ldapBindPassword),
    userBase: settings.ldapUserBase,
    userFilter: settings.ldapUserFilter || kind.userFilter,
    groupBase: settings.ldapGroupBase,
    groupFilter: settings.ldapGroupFilter || groupFilter,
    nestedGroups,
    groupPrefix: settings.ldapGroupPrefix,
    attributes: { ...kind.attributes, ...Object.fromEntries(given) },
    deadline: settings.ldapDeadline,
    onServer,
  };
}

/** Which people of the directory may be users here, as it is set. */
const rulesIn = ({ settings, takeOvers }: DirectoryParts): ExternalUserRules => ({
  namesCaseSensitive: settings.namesCaseSensitive,
  addsUsers: true,
  takesLocalNames: settings.ldapTakesLocalNames,
  takeOvers,
  roleGroups: settings.ldapRoleGroups,
});

/** Opens the directory that is set; undefined if none is. Its code is loaded only then. No server is asked yet. */
export async function openDirectory(parts: DirectoryParts): Promise<OpenedDirectory | undefined> {
  const { settings, store, clock, log, onFault } = parts;
  if (settings.ldapUrls.length === 0) return undefined;
  const [{ Directory }, { DIRECTORY_OUTCOMES }, { DirectoryVerifier, canBeTakenOver }, { DirectoryRecheck }] =
    await Promise.all([
      import('./directory.ts'),
      import('./options.ts'),
      import('./verifier.ts'),
      import('./recheck.ts'),
    ]);
  const silent = new Set<string>();
  const options = await directoryOptionsIn(settings, (server, fault) => {
    if (fault === undefined) silent.delete(server);
    else silent.add(server);
    if (fault === undefined) log.info({ server }, 'the server of the directory answers again');
    else log.warn({ server, fault }, 'a server of the directory cannot answer');
  });
  const requests = new Map<string, number>(DIRECTORY_OUTCOMES.map((outcome) => [outcome, 0]));
  const onRequest = (outcome: string) => void requests.set(outcome, (requests.get(outcome) ?? 0) + 1);
  const directory = new Directory({ ...options, onRequest }, clock);
  const rules = rulesIn(parts);
  const shared = { directory, store, rules, clock };
  const recheck = new DirectoryRecheck({
    ...shared,
    every: settings.ldapRecheck,
    warn: (message) => log.warn(message),
    onFault,
  });
  return {
    takesOver: (user) => rules.takesLocalNames && canBeTakenOver(user),
    verifier: new DirectoryVerifier({ ...shared, deadline: settings.hashDeadline }),
    requests,
    isSilent: () => settings.ldapUrls.every((server) => silent.has(server)),
    startRechecks() {
      if (parts.sweeps) recheck.start();
    },
    async close() {
      const stopped = recheck.stop();
      directory.close();
      await stopped;
    },
  };
}
