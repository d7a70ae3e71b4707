import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readModel, type Simulate, whereQuintIs } from './quint.ts';

/** The file of all designs, with a sentence about each. */
const DESIGNS = fileURLToPath(new URL('designs.qnt', import.meta.url));
/** The most steps of a trace. */
export const STEPS = 100;
/** In so many traces a wrong design has to show. */
const MOST_TRACES = 5_000;

/**
 * Seeds with which a wrong design shows soon. Others find it as well, most of them later. A change of the model changes what a seed
 * finds.
 */
const QUICK_SEEDS: Readonly<Record<string, number>> = {
  postgresqlNoBarrier: 4,
  postgresqlNaiveFill: 23,
  postgresqlNumbers: 24,
  postgresqlSweptByAge: 30,
  postgresqlCacheKept: 50,
  postgresqlStandbyBelieved: 129,
  redisNoBarrier: 2,
  redisSharedTooLate: 2,
  redisNaiveFill: 4,
  redisBroadcast: 31,
  redisNoLoop: 2,
  redisUndeclaredKey: 2,
  redisPing: 4,
  redisUnaware: 3,
};

/** A design of the model. */
export interface Design {
  readonly name: string;
  /** What is right or wrong about it. */
  readonly sentence: string;
  readonly isWrong: boolean;
}

/** What the simulation of a design found. */
export interface Finding {
  readonly design: Design;
  readonly isBroken: boolean;
  /** How many traces were simulated. The last one breaks the promise, if the design is broken. */
  readonly traces: number;
  /** Of these, how many had a yes from a cache, and how many a no to a ticket that had ended before. */
  readonly cached: number;
  readonly refused: number;
  readonly milliseconds: number;
}

export interface Bounds {
  /** For all designs; without it, wrong designs have seeds with which they show soon. */
  readonly seed: number | undefined;
  /** How many traces of a design have to keep the promise. */
  readonly traces: number;
}

/** Why nothing can be checked here; undefined if Quint is installed. */
export const whyNoQuint = () =>
  existsSync(whereQuintIs) ? undefined : "Quint is not installed: run 'npm run clients'";

/** The designs, in the order of their file. */
export function designs(): Design[] {
  const found = readFileSync(DESIGNS, 'utf8').matchAll(/^\/\/\/ (.+)\nmodule (\w+)/gm);
  return [...found].map(([, sentence = '', name = '']) => ({
    name,
    sentence,
    isWrong: !/(Design|Traces)$/.test(name),
  }));
}

/** Reads the model, which takes seconds, and returns what simulates a design of it. */
export const readDesigns = () => readModel(DESIGNS);

/** Simulates a design. Throws if the model itself is faulty. */
export function check(simulate: Simulate, design: Design, { seed, traces }: Bounds): Finding {
  const began = performance.now();
  const found = simulate({
    module: design.name,
    invariant: 'holds',
    witnesses: ['answersFromCache', 'refusesDead'],
    seed: seed ?? QUICK_SEEDS[design.name] ?? 1,
    traces: design.isWrong ? MOST_TRACES : traces,
    steps: STEPS,
  });
  const [cached = 0, refused = 0] = found.witnessed;
  const milliseconds = performance.now() - began;
  return { design, isBroken: found.isBroken, traces: found.traces, cached, refused, milliseconds };
}

/** What is wrong with a finding; undefined if it is as it should be. */
export function complaintAbout({ design, isBroken, cached, refused }: Finding): string | undefined {
  if (design.isWrong) return isBroken ? undefined : `${design.name} is wrong, and no trace shows it`;
  if (isBroken) return `${design.name} breaks the promise`;
  if (cached === 0 || refused === 0) return `the traces of ${design.name} show too little`;
  return undefined;
}
