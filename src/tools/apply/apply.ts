import { statSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import type { Command } from 'commander';
import { removingStalePassword } from '../../capabilities/people/commands/users/initial-password.ts';
import { type ForgetFailures, keepingAnAdministrator } from '../../capabilities/people/rules/users.ts';
import {
  DocumentsFaulty,
  documentOf,
  type ReadDocument,
  readDocument,
} from '../../core/documents/read-document.ts';
import { isRefusal } from '../../core/domain/refusal.ts';
import { throttleKeyFor } from '../../core/identity/throttle-key.ts';
import { counterKeys } from '../../core/identity/throttle-state.ts';
import { hashCostIn } from '../../core/settings/derived.ts';
import type { Settings } from '../../core/settings/table.ts';
import type { Store, WriteUnit } from '../../core/storage/store.ts';
import { visible } from '../../core/visible.ts';
import { onStore, onStoreToAdd, settingsFor, storeCommand } from '../../faces/cli/context.ts';
import { ChangesPending, CommandRefused } from '../../faces/cli/failure.ts';
import { print } from '../../faces/cli/print.ts';
import { ProgressBar } from '../../faces/cli/progress.ts';
import { record } from '../../faces/cli/record.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';
import { StateDocument } from './document.ts';
import { otherRules } from './gate-rules-file.ts';
import type { PlanStep, ShownValue, StateChange, StateKind } from './plan.ts';
import { type Applying, planState } from './plan-state.ts';
import { prepareHashes } from './prepared-hashes.ts';
import { type WantedState, wantedIn } from './wanted.ts';

const SIGNS = { add: '+', change: '~', remove: '-' } as const;
const KINDS: Readonly<Record<StateKind, string>> = {
  group: 'group',
  user: 'user',
  client: 'client',
  application: 'application',
  apiKey: 'API key',
  gateRule: 'gate rule',
};

function valueText(value: ShownValue): string {
  if (value === undefined) return 'none';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object') return String(value);
  return value.length === 0 ? 'none' : value.map((each) => JSON.stringify(each)).join(', ');
}

/** One line for a change, such as `~ user "ben" disabled: false → true`. */
function lineOf({ change, kind, name, field, from, to, members = {} }: StateChange): string {
  // A rule is its own name, in JSON.
  const what = `${SIGNS[change]} ${KINDS[kind]} ${kind === 'gateRule' ? name : JSON.stringify(name)}`;
  if (field !== undefined) return visible(`${what} ${field}: ${valueText(from)} → ${valueText(to)}`);
  const parts = Object.entries(members).map(([member, value]) => `${member}: ${valueText(value)}`);
  return visible(parts.length === 0 ? what : `${what} (${parts.join('; ')})`);
}

const VERBS = {
  done: { add: 'Added', change: 'changed', remove: 'removed' },
  wouldBe: { add: 'Would add', change: 'change', remove: 'remove' },
} as const;

/** How many things were added, changed and removed, or would be. */
function summaryOf(changes: readonly StateChange[], when: keyof typeof VERBS): string {
  const of = (verb: StateChange['change']) => {
    const things = changes.filter(({ change }) => change === verb).map(({ kind, name }) => `${kind} ${name}`);
    return `${VERBS[when][verb]} ${new Set(things).size}`;
  };
  return `${of('add')}, ${of('change')}, ${of('remove')}.`;
}

interface ApplyOptions {
  readonly dryRun?: true;
  readonly prune?: true;
  readonly pruneMany?: true;
  readonly passwords?: true;
  readonly json?: true;
  readonly rules?: string;
}

/** Thrown to take back the transaction of a dry run. */
class TakenBack extends Error {}

const changesOf = (steps: readonly PlanStep[]) => steps.flatMap(({ changes }) => changes);

/** Makes all changes of a plan, with their events. If a rule forbids an entry, throws its fault. */
async function perform(
  unit: WriteUnit,
  steps: readonly PlanStep[],
  state: WantedState,
  now: number,
): Promise<void> {
  const outcome = await keepingAnAdministrator(unit, async () => {
    for (const { pointer, perform: act } of steps) {
      const result = await act(unit, now);
      if (isRefusal(result)) throw new DocumentsFaulty([state.faultAt(pointer, `${result.detail}`)]);
      for (const event of result.events) await record(unit, now, event);
    }
    return {};
  });
  if (isRefusal(outcome))
    throw new CommandRefused(
      'Refused: this would leave no administrator who can sign in. Name one in the file, with "role": "administrator".',
    );
}

/** Brings the store into the state of the document, in one transaction, which a dry run undoes. Returns the changes. */
async function applyTo(
  store: Store,
  clock: () => number,
  state: WantedState,
  applying: Applying,
  dryRun: boolean,
): Promise<readonly StateChange[]> {
  const plan = await store.read((unit) => planState(unit, state, applying));
  if (plan.length === 0) return [];
  const only = new Set(plan.map(({ pointer }) => pointer));
  let changes: readonly StateChange[] = [];
  try {
    await store.write(async (unit) => {
      await unit.lock('users', 'groups');
      const steps = await planState(unit, state, { ...applying, only });
      changes = changesOf(steps);
      await perform(unit, steps, state, clock());
      if (dryRun) throw new TakenBack();
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
  }
  return changes;
}

function forgetFor(settings: Settings): ForgetFailures {
  return (unit, key) =>
    unit.attempts.removeOfName(counterKeys(throttleKeyFor(settings, 'command'))(key, '').name);
}

async function show(
  terminal: Terminal,
  file: string,
  changes: readonly StateChange[],
  options: ApplyOptions,
): Promise<void> {
  const dryRun = options.dryRun === true;
  if (options.json) {
    await print(terminal, `${visible(JSON.stringify({ changes, dryRun }))}\n`);
    return;
  }
  const end =
    changes.length === 0
      ? visible(`Nothing to change: all is as ${file === '-' ? 'the file' : file} says.`)
      : summaryOf(changes, dryRun ? 'wouldBe' : 'done');
  await print(terminal, [...changes.map(lineOf), end, ''].join('\n'));
}

async function changesIn(
  settings: Settings,
  state: WantedState,
  options: ApplyOptions,
  terminal: Terminal,
): Promise<readonly StateChange[]> {
  const dryRun = options.dryRun === true;
  const bar = new ProgressBar(terminal);
  const how = {
    cost: hashCostIn(settings),
    passwords: options.passwords === true,
    dryRun,
    onShare: (share: number) => bar.show(share, 'hashes'),
  };
  return (dryRun ? onStore : onStoreToAdd)(terminal, settings, async (store, clock) => {
    const hashes = await prepareHashes(store, state.users ?? [], how).finally(() => bar.clear());
    const pruneMany = options.pruneMany === true;
    const prune = options.prune === true || pruneMany;
    const applying = { hashes, prune, pruneMany, forget: forgetFor(settings) };
    const work = () => applyTo(store, clock, state, applying, dryRun);
    return dryRun
      ? work()
      : removingStalePassword({ here: { settings, store: async () => store } }, terminal, work);
  });
}

/** The memory for each byte of a document: its text, its tree, and what is stored of all that it names. */
const MEMORY_OF_A_BYTE = 40;

/** Refuses a document that this process would run out of memory with: all of it is compared at once. */
function assertRoom(what: string, bytes: number): void {
  const most = getHeapStatistics().heap_size_limit / MEMORY_OF_A_BYTE;
  if (bytes <= most) return;
  const [size, limit] = [bytes, most].map((count) => Math.floor(count / 1e6));
  throw new CommandRefused(
    `${what} has ${size} MB, and ${limit} MB are the most that fit into the memory of this process, since all of it is compared at once: write only what is to change, or bring many users in by 'tessera users import --update'.`,
  );
}

/** The document in the file, or on standard input for `-`. */
async function readState(file: string, { stdin }: Terminal): Promise<ReadDocument<StateDocument>> {
  if (file !== '-') {
    assertRoom(file, statSync(file, { throwIfNoEntry: false })?.size ?? 0);
    return readDocument(file, StateDocument);
  }
  const read: Buffer[] = [];
  let bytes = 0;
  for await (const some of stdin) {
    read.push(some as Buffer);
    bytes += some.length;
    assertRoom('Standard input', bytes);
  }
  return documentOf('standard input', Buffer.concat(read), StateDocument);
}

async function apply(file: string, options: ApplyOptions, terminal: Terminal): Promise<void> {
  const { settings } = settingsFor({ ...options }, terminal);
  const state = wantedIn(await readState(file, terminal), settings.namesCaseSensitive);
  const rules = otherRules(state.gateRules, options.rules ?? settings.gateRules);
  const dryRun = options.dryRun === true;
  const prepared = dryRun ? undefined : rules?.prepare();
  try {
    const changes = await changesIn(settings, state, options, terminal);
    // The document follows the store: if this process ends in between, the next run still sees the difference.
    prepared?.replace();
    const all = [...changes, ...(rules?.changes ?? [])];
    await show(terminal, file, all, options);
    if (dryRun && all.length > 0)
      throw new ChangesPending(
        'Nothing is written: give the command without --dry-run to make these changes.',
      );
  } finally {
    prepared?.discard();
  }
}

/** `tessera apply` */
export function applyCommand(terminal: Terminal): Command {
  return storeCommand(
    terminal,
    'apply',
    'Bring users, groups, clients, applications, API keys and gate rules into the state that a file says, all or nothing.',
  )
    .argument('<file>', "A JSON document, such as 'tessera state' writes it, or - for standard input.")
    .option('--dry-run', 'Show what would change, and change nothing. Exit code 3 if something would.')
    .option('--prune', 'Also remove what the lists of the file do not name.')
    .option('--prune-many', 'Like --prune, even if that is more than half of what is there.')
    .option('--passwords', 'Also give existing users the hashes of the file. Their tickets end.')
    .option('--rules <file>', "The document of the gate's rules; by default that of the settings.")
    .option('--json', 'As JSON.')
    .action((file: string, options: ApplyOptions) => apply(file, options, terminal));
}
