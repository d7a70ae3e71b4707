import { randomBytes } from 'node:crypto';
import { COMMAND_LINE } from '../core/domain/event.ts';
import { DIRECTORY } from '../core/domain/external-identity.ts';
import { isRefusal } from '../core/domain/refusal.ts';
import type { RunningService } from '../core/domain/running-service.ts';
import { serverIdentity } from '../core/domain/server-identity.ts';
import { userKey } from '../core/domain/user.ts';
import { LocalGate, type LocalInput, type PerformInUnit } from '../core/gate/local.ts';
import type { LockOuts } from '../core/identity/lock-outs.ts';
import type { JudgeStrength } from '../core/identity/new-password.ts';
import type { Passwords } from '../core/identity/passwords.ts';
import { hashCostIn, newPasswordRulesIn, ticketLimitsIn } from '../core/settings/derived.ts';
import type { Settings } from '../core/settings/table.ts';
import type { OpenedStore, Use } from '../core/storage/opened-store.ts';
import { settingsFor } from '../faces/cli/context.ts';
import { systemUser } from '../faces/cli/record.ts';
import {
  type LoadOperation,
  type OpenedRunner,
  type PerformOperation,
  refusedCommand,
  type Sentences,
} from '../faces/cli/runner.ts';
import type { Terminal } from '../faces/cli/terminal.ts';
import { CAPABILITIES } from './capabilities.ts';
import { toolsOf } from './operation-tools.ts';
import { serviceAsSet } from './service-as-set.ts';

type SettingsInForce = ReturnType<typeof settingsFor>;

/** The input without members that are left out. */
function inputOf(input: object): LocalInput {
  const withoutUndefined = (part: object) =>
    Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined));
  return Object.fromEntries(Object.entries(input).map(([name, part]) => [name, withoutUndefined(part)]));
}

/** Runs operations with `perform`, and shows their values as HTTP does. */
const runWith = (perform: PerformInUnit) =>
  (async (load: LoadOperation, input: object, sentences?: Sentences) => {
    const { default: operation } = await load();
    const result = await perform(operation, inputOf(input));
    if (isRefusal(result)) throw refusedCommand(result, input, sentences);
    const { value, changes = [] } = result;
    return { value: operation.output.json?.(value as never), changed: changes.length > 0 };
  }) as PerformOperation;

/** Judges and hashes new passwords, as they are set. Each is judged once, since that takes a while. */
async function newPasswordsFor(settings: Settings) {
  const [{ faultOfNewPassword, newPasswords }, { faultOfStrength }] = await Promise.all([
    import('../core/identity/new-password.ts'),
    import('../core/identity/password-strength.ts'),
  ]);
  const strengths = new Map<string, ReturnType<JudgeStrength>>();
  const judgeStrength: JudgeStrength = (password, name) => {
    const key = JSON.stringify([name, password]);
    const judged = strengths.get(key) ?? faultOfStrength(password, name);
    strengths.set(key, judged);
    return judged;
  };
  const rulesFor = (name: string) => newPasswordRulesIn(settings, name);
  const { hashNew } = newPasswords({
    pool: { run: (hash) => hash() },
    cost: hashCostIn(settings),
    rulesFor,
    judgeStrength,
    clock: Date.now,
  });
  return {
    faultOf: async (name: string, password: string) =>
      (await faultOfNewPassword(password, rulesFor(name), judgeStrength))?.sentence,
    hashNew: (name: string, password: string) => {
      const key = userKey(name, settings.namesCaseSensitive);
      return hashNew({ name, key, address: COMMAND_LINE, familiar: true }, password);
    },
  };
}

/** The lock-outs, as they are set. The key of the counters is read when they are first looked up: most commands need none. */
function lockOutsIn(settings: Settings): Pick<LockOuts, keyof LockOuts> {
  async function load() {
    const [{ LockOuts }, { throttleKeyFor }, { rulesFor }] = await Promise.all([
      import('../core/identity/lock-outs.ts'),
      import('../core/identity/throttle-key.ts'),
      import('../core/identity/throttle-state.ts'),
    ]);
    return new LockOuts(throttleKeyFor(settings, 'command'), rulesFor(settings), settings.namesCaseSensitive);
  }
  let loading: ReturnType<typeof load> | undefined;
  const loaded = () => (loading ??= load());
  return {
    ofUser: async (...about) => (await loaded()).ofUser(...about),
    ofUsers: async (...about) => (await loaded()).ofUsers(...about),
    waits: async (...about) => (await loaded()).waits(...about),
    forget: async (...about) => (await loaded()).forget(...about),
    forgetCodes: async (...about) => (await loaded()).forgetCodes(...about),
  };
}

/** What a service with these settings would show of itself. Nothing of it runs in a command. */
function serviceIn({ settings: table }: Terminal, { settings, inEffect }: SettingsInForce): RunningService {
  return {
    ...serviceAsSet(settings, inEffect),
    asksOldServer: settings.shadow !== '',
    asksDirectory: table.isSetUp(DIRECTORY, settings),
    providerState: (id) => (table.isSetUp(id, settings) ? 'on' : 'off'),
    liveTickets: () => undefined,
    hashesWaiting: () => 0,
    counts: () => ({}),
  };
}

/** The gate for the operator of this machine, as it is set. */
function gateOver(
  { store, clock = Date.now }: OpenedStore,
  terminal: Terminal,
  inForce: SettingsInForce,
  passwords: Pick<Passwords, 'hashNew'>,
): LocalGate {
  const { settings } = inForce;
  const { namesCaseSensitive, announcedEdition: edition, announcedVersion: version } = settings;
  return new LocalGate({
    store,
    operator: systemUser(),
    from: COMMAND_LINE,
    passwords,
    rules: { ...ticketLimitsIn(settings), clock, random: randomBytes },
    operations: [],
    identity: serverIdentity({ edition, version }),
    startedAt: clock(),
    namesCaseSensitive,
    allPeopleVisible: settings.peopleVisible === 'all',
    passwordPages: terminal.settings.passwordPagesOf(settings),
    // It concerns users who administer themselves, which the operator does not.
    asksSecondFactor: false,
    operationTools: toolsOf(CAPABILITIES, settings),
    lockOuts: lockOutsIn(settings),
    service: serviceIn(terminal, inForce),
  });
}

/**
 * Performs operations in this process, on the store that is set, as the system user who runs the command. The store is opened when the
 * first operation needs it.
 */
export function runnerHere(terminal: Terminal, options: Record<string, unknown>, use: Use): OpenedRunner {
  const inForce = settingsFor(options, terminal);
  const { settings } = inForce;
  let opening: Promise<OpenedStore> | undefined;
  const opened = () => (opening ??= terminal.openStore(settings, use));
  let loading: ReturnType<typeof newPasswordsFor> | undefined;
  const passwords = () => (loading ??= newPasswordsFor(settings));
  const hashNew: Passwords['hashNew'] = async (...args) => (await passwords()).hashNew(...args);
  let gate: LocalGate | undefined;
  const gateHere = async () => (gate ??= gateOver(await opened(), terminal, inForce, { hashNew }));
  return {
    run: runWith(async (operation, input) => (await gateHere()).perform(operation, input)),
    async together(loads, work) {
      await Promise.all(loads.map((load) => load()));
      let said: string[] = [];
      const outcome = await (await gateHere()).together((perform) => {
        said = [];
        return work(runWith(perform), (text) => said.push(text));
      });
      terminal.stdout.write(said.join(''));
      return outcome;
    },
    now: async () => ((await opened()).clock ?? Date.now)(),
    faultOfPassword: async (...args) => (await passwords()).faultOf(...args),
    here: { settings, store: async () => (await opened()).store },
    close: async () => (await opening)?.store.close(),
  };
}
