import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { STEPS } from './check.ts';
import type { Simulate } from './quint.ts';

const FOLDER = fileURLToPath(new URL('../test/model/traces/', import.meta.url));
/** The least that clients see happen in a trace that is kept. */
const LEAST_EVENTS = 40;

/** What a client sees happen, as the Informal Trace Format writes it. */
interface TraceEvent {
  readonly tag: string;
  readonly value: { readonly done?: boolean; readonly revocation?: { readonly tag: string } };
}

/** The events of one trace. A state has one variable, the whole system. */
function eventsOf(simulate: Simulate, module: string, seed: number): TraceEvent[] {
  const simulation = { module, invariant: 'holds', witnesses: [], seed, traces: 1, steps: 3 * STEPS };
  return simulate(simulation)
    .itf.states.map((state) => state[Object.keys(state).find((name) => name.endsWith('::system')) ?? ''])
    .map((system) => (system as { readonly event: TraceEvent }).event)
    .filter(({ tag }) => tag !== 'Nothing');
}

/** Whether much happens: several log-ins, revocations of each kind, some of them answered, and a restart. */
function tellsMuch(events: readonly TraceEvent[]): boolean {
  const kinds = new Set(events.map(({ value }) => value.revocation?.tag));
  return (
    events.length >= LEAST_EVENTS &&
    ['LogOut', 'EndAll', 'Disable'].every((kind) => kinds.has(kind)) &&
    events.filter(({ tag }) => tag === 'LoggedIn').length >= 3 &&
    events.filter(({ tag }) => tag === 'Restarted').length === 1 &&
    events.filter(({ value }) => value.done === true).length >= 3
  );
}

/** Writes what clients see in a trace of each of these designs as a fixture for the replays. Calls back with each file. */
export function writeTraces(
  simulate: Simulate,
  names: readonly string[],
  onFile: (file: string) => void,
): void {
  for (const name of names) {
    let seed = 1;
    let events = eventsOf(simulate, name, seed);
    while (!tellsMuch(events)) {
      seed += 1;
      events = eventsOf(simulate, name, seed);
    }
    const file = `${FOLDER}${name}.itf.json`;
    const meta = {
      format: 'ITF',
      source: 'npm run model -- --write-traces && npm run format',
      design: name,
      seed,
    };
    const states = events.map((event) => `  ${JSON.stringify({ event })}`).join(',\n');
    writeFileSync(
      file,
      `{"#meta": ${JSON.stringify(meta)},\n"vars": ["event"], "states": [\n${states}\n]}\n`,
    );
    onFile(file);
  }
}
