import { parseArgs } from 'node:util';
import {
  type Bounds,
  check,
  complaintAbout,
  designs,
  type Finding,
  readDesigns,
  whyNoQuint,
} from './check.ts';

const USAGE = `npm run model -- [DESIGN …] [--traces 2000] [--seed NUMBER]
Simulates the model of revocations: the designs have to keep the promise in every trace, and each wrong design has to break it.
--traces  how many traces of each design
--seed    another seed; what this prints repeats with the same one
designs: ${designs()
  .map(({ name }) => name)
  .join(', ')}`;

const percent = (part: number, whole: number) => `${Math.round((100 * part) / whole)} %`;

function line(finding: Finding): string {
  const { design, isBroken, traces, cached, refused, milliseconds } = finding;
  const mark = complaintAbout(finding) === undefined ? '✔' : '✖';
  const seconds = `${(milliseconds / 1_000).toFixed(1)} s`;
  const outcome = isBroken ? `broken in trace ${traces}` : `kept in ${traces} traces`;
  const seen = `yes from a cache in ${percent(cached, traces)} of the traces, no to an ended ticket in ${percent(refused, traces)}`;
  return `${mark} ${design.name}: ${outcome} (${seconds})${isBroken ? '' : `; ${seen}`}. ${design.sentence}`;
}

function readOptions(): { chosen: ReturnType<typeof designs>; bounds: Bounds } {
  const { values, positionals } = parseArgs({
    options: { traces: { type: 'string', default: '2000' }, seed: { type: 'string' } },
    allowPositionals: true,
  });
  const all = designs();
  for (const name of positionals)
    if (!all.some((design) => design.name === name)) throw new Error(`there is no design "${name}"`);
  const numbers = [values.traces, values.seed ?? '1'].map(Number);
  if (!numbers.every((number) => Number.isInteger(number) && number > 0))
    throw new Error('--traces and --seed take whole numbers from 1 on');
  return {
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
  const { chosen, bounds } = readOptions();
  const simulate = await readDesigns();
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
