import { parseArgs } from 'node:util';
import {
  type Bounds,
  check,
  complaintAbout,
  type Design,
  designs,
  type Finding,
  readDesigns,
  whyNoQuint,
} from './check.ts';
import { writeTraces } from './traces.ts';

const USAGE = `npm run model -- [DESIGN …] [--traces 2000] [--seed NUMBER]
Simulates the model of revocations: the designs have to keep the promise in every trace, and each wrong design has to break it.
--traces  how many traces of each design
--seed    another seed; what this prints repeats with the same one
--write-traces  writes the traces anew that test/model/ replays, and checks nothing
designs: ${designs()
  .map(({ name }) => name)
  .join(', ')}`;

/** The designs whose traces are replayed. */
const TRACES = ['postgresqlTraces', 'redisTraces'];

const percent = (part: number, whole: number) => `${Math.round((100 * part) / whole)} %`;

function line(finding: Finding): string {
  const { design, isBroken, traces, cached, refused, milliseconds } = finding;
  const mark = complaintAbout(finding) === undefined ? '✔' : '✖';
  const seconds = `${(milliseconds / 1_000).toFixed(1)} s`;
  const outcome = isBroken ? `broken in trace ${traces}` : `kept in ${traces} traces`;
  const seen = `yes from a cache in ${percent(cached, traces)} of the traces, no to an ended ticket in ${percent(refused, traces)}`;
  return `${mark} ${design.name}: ${outcome} (${seconds})${isBroken ? '' : `; ${seen}`}. ${design.sentence}`;
}

interface Options {
  readonly chosen: readonly Design[];
  readonly bounds: Bounds;
  readonly writesTraces: boolean;
}

function readOptions(): Options {
  const { values, positionals } = parseArgs({
    options: {
      traces: { type: 'string', default: '2000' },
      seed: { type: 'string' },
      'write-traces': { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const all = designs();
  for (const name of positionals)
    if (!all.some((design) => design.name === name)) throw new Error(`there is no design "${name}"`);
  const numbers = [values.traces, values.seed ?? '1'].map(Number);
  if (!numbers.every((number) => Number.isInteger(number) && number > 0))
    throw new Error('--traces and --seed take whole numbers from 1 on');
  return {
    writesTraces: values['write-traces'],
    chosen: positionals.length === 0 ? all : all.filter(({ name }) => positionals.includes(name)),
    bounds: {
      traces: Number(values.traces),
      seed: values.seed === undefined ? undefined : Number(values.seed),
    },
  };
}

async function main(): Promise<number> {
  const why = whyNoQuint();
  if (why !== undefined) {
    console.error(`Nothing was checked: ${why}.`);
    return 1;
  }
  const { chosen, bounds, writesTraces } = readOptions();
  const simulate = await readDesigns();
  if (writesTraces) {
    writeTraces(simulate, TRACES, (file) => console.log(file));
    return 0;
  }
  let code = 0;
  for (const design of chosen) {
    const finding = check(simulate, design, bounds);
    console.log(line(finding));
    const complaint = complaintAbout(finding);
    if (complaint === undefined) continue;
    console.error(complaint);
    code = 1;
  }
  return code;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`${(error as Error).message}\n\n${USAGE}`);
  process.exitCode = 2;
}
