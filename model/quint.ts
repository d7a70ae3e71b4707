import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Quint's own simulator in TypeScript runs in this process: each start of its command line would read the model anew.

/** The folder of Quint's code, once it is installed. */
export const whereQuintIs = fileURLToPath(
  new URL('node_modules/@informalsystems/quint/dist/src/', import.meta.url),
);

/** A model that was read. */
interface Stage {
  readonly args: object;
  readonly resolver: { readonly table: unknown };
}
interface Either<T> {
  isLeft(): boolean;
  readonly value: T;
}
type Step<T> = (input: T) => Promise<Either<Stage>>;

interface Outcome {
  readonly status: 'ok' | 'violation' | 'error';
  readonly errors: readonly unknown[];
  readonly samples: number;
  readonly witnessingTraces: readonly number[];
  readonly bestTraces: readonly { readonly states: readonly unknown[] }[];
}
interface Evaluator {
  varNames(): string[];
  simulate(
    ...values: [init: unknown, step: unknown, invariant: unknown, witnesses: unknown[], ...numbers: number[]]
  ): Outcome;
}

/** What is used of each file of the package. */
interface Files {
  readonly 'cliCommands.js': {
    readonly load: Step<object>;
    readonly parse: Step<Stage>;
    readonly typecheck: Step<Stage>;
  };
  readonly 'cliHelpers.js': { toExpr(stage: Stage, text: string): Either<unknown> };
  readonly 'itf.js': { toItf(names: string[], states: readonly unknown[]): Either<Itf> };
  readonly 'rng.js': { newRng(seed: bigint): object };
  readonly 'runtime/trace.js': { newTraceRecorder(verbosity: number, rng: object, traces: number): object };
  readonly 'runtime/impl/evaluator.js': {
    readonly Evaluator: new (table: unknown, recorder: object, rng: object) => Evaluator;
  };
}

function load<F extends keyof Files>(file: F): Files[F] {
  return createRequire(import.meta.url)(join(whereQuintIs, file));
}

/** States in the Informal Trace Format, each with the value of each variable. */
export interface Itf {
  readonly states: readonly Readonly<Record<string, unknown>>[];
}

/** What a simulation is asked for. */
export interface Simulation {
  readonly module: string;
  readonly invariant: string;
  /** Definitions whose traces are counted. */
  readonly witnesses: readonly string[];
  readonly seed: number;
  readonly traces: number;
  readonly steps: number;
}

/** What it found. It stops at the first trace that breaks the invariant. */
export interface Simulated {
  readonly isBroken: boolean;
  readonly traces: number;
  /** In how many of the traces each witness was true. */
  readonly witnessed: readonly number[];
  /** One of the traces: the one that breaks the invariant, if there is one. */
  readonly itf: Itf;
}

export type Simulate = (simulation: Simulation) => Simulated;

/** Reads a file of Quint with what it imports, and checks its types. Throws what is wrong with it. */
export async function readModel(file: string): Promise<Simulate> {
  const commands = load('cliCommands.js');
  let stage = await commands.load({ input: file });
  for (const step of [commands.parse, commands.typecheck]) {
    if (!stage.isLeft()) stage = await step(stage.value);
    if (stage.isLeft()) throw new Error(`${file}: ${JSON.stringify(Object(stage.value).stage?.errors)}`);
  }
  const model = stage.value;
  return (simulation) => simulate(model, simulation);
}

function simulate(model: Stage, simulation: Simulation): Simulated {
  const { module, invariant, witnesses, seed, traces, steps } = simulation;
  const inModule = { ...model, args: { ...model.args, main: module } };
  const expression = (text: string) => {
    const found = load('cliHelpers.js').toExpr(inModule, text);
    if (found.isLeft()) throw new Error(`${module}: ${JSON.stringify(found.value)}`);
    return found.value;
  };
  // Quint's generator counts on from its seed, so neighbouring seeds would give nearly the same traces.
  const rng = load('rng.js').newRng(BigInt(seed) << 32n);
  const { Evaluator } = load('runtime/impl/evaluator.js');
  const recorder = load('runtime/trace.js').newTraceRecorder(0, rng, 1);
  const evaluator = new Evaluator(model.resolver.table, recorder, rng);
  const outcome = evaluator.simulate(
    expression('init'),
    expression('step'),
    expression(invariant),
    witnesses.map(expression),
    ...[traces, steps, 1],
  );
  if (outcome.status === 'error') throw new Error(`${module}: ${JSON.stringify(outcome.errors)}`);
  return {
    isBroken: outcome.status === 'violation',
    traces: outcome.samples,
    witnessed: outcome.witnessingTraces,
    itf: load('itf.js').toItf(evaluator.varNames(), outcome.bestTraces[0]?.states ?? []).value,
  };
}
