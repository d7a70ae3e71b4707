import { DIRECTORY } from '../../core/domain/external-identity.ts';
import type { CheckedPart, SignInSources } from '../../core/domain/sign-in-source.ts';
import { passwordFrom } from '../../core/settings/given.ts';
import type { Settings } from '../../core/settings/table.ts';
import { certificatesIn } from '../../core/settings/trusted-certificates.ts';
import type { MetricFigure } from '../../core/telemetry/registry.ts';
import type { OpenedCapability, OpeningParts } from '../capability.ts';
import type { ExternalUserRules } from '../people/rules/external-users.ts';
import type { CheckStep } from './check/steps.ts';
import type { DirectoryOptions } from './options.ts';

/** What the directory is opened with. */
type DirectoryParts = Pick<
  OpeningParts,
  'settings' | 'takeOvers' | 'sweeps' | 'store' | 'clock' | 'log' | 'onFault'
>;

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
  const pairs = Object.entries(ldapAttributes).map(([field, attribute]) => [field, attribute || undefined]);
  const groupFilter = nestedGroups ? kind.groupFilter : kind.groupFilter.replaceAll(IN_CHAIN, '');
  return {
    kind: settings.ldapKind,
    servers: settings.ldapUrls,
    startTls: settings.ldapStartTls,
    writesPasswords: settings.ldapPasswordChange || settings.ldapPasswordReset,
    ca: certificatesIn('ldapCa', settings.ldapCa),
    bindDn: settings.ldapBindDn,
    bindPassword: passwordFrom(settings.ldapBindPassword),
    userBase: settings.ldapUserBase,
    userFilter: settings.ldapUserFilter || kind.userFilter,
    groupBase: settings.ldapGroupBase,
    groupFilter: settings.ldapGroupFilter || groupFilter,
    nestedGroups,
    groupPrefix: settings.ldapGroupPrefix,
    attributes: { ...kind.attributes, ...Object.fromEntries(pairs) },
    deadline: settings.ldapDeadline,
    onServer,
  };
}

/** Which people of the directory may be users here, as it is set. */
const rulesIn = ({
  settings,
  takeOvers,
}: Pick<OpeningParts, 'settings' | 'takeOvers'>): ExternalUserRules => ({
  namesCaseSensitive: settings.namesCaseSensitive,
  addsUsers: true,
  takesLocalNames: settings.ldapTakesLocalNames,
  takeOvers,
  roleGroups: settings.ldapRoleGroups,
});

/** How many requests had each outcome, and whether the directory is silent. */
const figuresOf = (
  requests: ReadonlyMap<string, number>,
  isSilent: () => boolean,
): readonly MetricFigure[] => [
  {
    type: 'counter',
    name: 'tessera_directory_requests_total',
    help: 'Requests to the directory, by outcome; unavailable: no server could answer.',
    labels: ['outcome'],
    read: () => [...requests].map(([outcome, times]) => [times, { outcome }] as const),
  },
  {
    type: 'gauge',
    name: 'tessera_directory_silent',
    help: 'Whether no server of the directory answered when it was asked last: 1, otherwise 0.',
    read: () => [[Number(isSilent())]],
  },
];

/** Says in the log, and remembers, which servers do not answer. */
function watchServers({ settings, log }: DirectoryParts) {
  const silent = new Set<string>();
  const onServer: DirectoryOptions['onServer'] = (server, fault) => {
    if (fault === undefined) silent.delete(server);
    else silent.add(server);
    if (fault === undefined) log.info({ server }, 'the server of the directory answers again');
    else log.warn({ server, fault }, 'a server of the directory cannot answer');
  };
  return { onServer, isSilent: () => settings.ldapUrls.every((server) => silent.has(server)) };
}

/** The servers of the directory, for operators. They are asked as `ldap check` asks them, whatever this process knows of them. */
const sourcesOf = (options: DirectoryOptions): SignInSources => ({
  list: () => options.servers.map((address) => ({ id: DIRECTORY, name: options.kind, address })),
  async check() {
    const { checkDirectory, settingsSteps } = await import('./check/check.ts');
    const parts: CheckedPart[] = [{ about: 'settings', steps: settingsSteps(options) }];
    for await (const { about, steps } of checkDirectory({ options, onPerson: () => undefined })) {
      const done: CheckStep[] = [];
      for await (const step of steps) done.push(step);
      parts.push({ about, steps: done });
    }
    return parts;
  },
});

/** Opens the directory that is set; undefined if none is. Its code is loaded only then. No server is asked yet. */
export async function openDirectory(parts: DirectoryParts): Promise<OpenedCapability | undefined> {
  const { settings, sweeps, store, clock, log, onFault } = parts;
  if (settings.ldapUrls.length === 0) return undefined;
  const [
    { Directory },
    { DIRECTORY_OUTCOMES },
    { DirectoryVerifier, canBeTakenOver },
    { DirectoryRecheck },
    { DirectoryPasswords },
  ] = await Promise.all([
    import('./directory.ts'),
    import('./options.ts'),
    import('./verifier.ts'),
    import('./recheck.ts'),
    import('./passwords.ts'),
  ]);
  const { onServer, isSilent } = watchServers(parts);
  const options = await directoryOptionsIn(settings, onServer);
  const requests = new Map<string, number>(DIRECTORY_OUTCOMES.map((outcome) => [outcome, 0]));
  const onRequest = (outcome: string) => void requests.set(outcome, (requests.get(outcome) ?? 0) + 1);
  const directory = new Directory({ ...options, onRequest }, clock);
  const rules = rulesIn(parts);
  const shared = { directory, store, rules, clock };
  const warn = (message: string) => log.warn(message);
  const recheck = new DirectoryRecheck({ ...shared, every: settings.ldapRecheck, warn, onFault });
  const { ldapPasswordChange: changes, ldapPasswordReset: resets, hashDeadline: deadline } = settings;
  return {
    verifier: new DirectoryVerifier({ ...shared, changesPasswords: changes, deadline }),
    operationTools: {
      directorySources: sourcesOf({ ...options, onServer: () => undefined }),
      ...((changes || resets) && {
        passwordsElsewhere: new DirectoryPasswords({ directory, store, changes, resets, deadline, clock }),
      }),
    },
    consoleSections: [{ to: '/portal/console/directory', text: 'console.directory', role: 'operator' }],
    takesOver: (user) => rules.takesLocalNames && canBeTakenOver(user),
    providerState: (id) => (id === DIRECTORY ? (isSilent() ? 'silent' : 'on') : undefined),
    figures: figuresOf(requests, isSilent),
    start() {
      if (sweeps) recheck.start();
    },
    async stop() {
      const stopped = recheck.stop();
      directory.close();
      await stopped;
    },
  };
}
