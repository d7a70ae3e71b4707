import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Defect, defectsOf } from './defects.ts';
import { CannotReproduce, whyNoHistory } from './history.ts';
import { isReproduced, reproduce } from './reproduce.ts';

const ROOT = join(import.meta.dirname, '../..');
// A scenario of the fault tests shows its defect within seconds of load.
process.env.FAULT_SECONDS ??= '4';
const USAGE = `Usage: npm run reproduce -- HASH...   or   npm run reproduce -- --all

Runs the test of a defect on the version before its mend, where it has to fail, and on the mend, where it has to pass.
HASH is a commit of the table in docs/why/defects.md. Exit code 0: each one is reproduced; 1: one is not; 2: wrong usage, or
no history to look at.`;

/** The rows that are asked for. A commit may have mended several. Throws if one is not in the table. */
function wanted(hashes: readonly string[], all: boolean): Defect[] {
  const defects = defectsOf(ROOT);
  if (all) return defects;
  return hashes.flatMap((hash) => {
    const isMeant = ({ mend }: Defect) =>
      hash.length >= 4 && (mend.startsWith(hash) || hash.startsWith(mend));
    const found = defects.filter(isMeant);
    if (found.length === 0)
      throw new CannotReproduce(`docs/why/defects.md has no row with the commit ${hash}`);
    return found;
  });
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => stopping.abort(new CannotReproduce(`stopped by ${signal}`)));

/** Reproduces a defect and prints how. Returns whether it was there. */
async function tell(defect: Defect): Promise<boolean> {
  const reproduction = await reproduce(ROOT, defect, stopping.signal);
  const { before, after } = reproduction;
  const isThere = isReproduced(reproduction);
  console.log(`${isThere ? '✔' : '✖'} ${defect.mend}: ${defect.name} (${defect.file})`);
  console.log(`  before the mend: ${before.outcome} ${before.reason}`.trimEnd());
  console.log(`  with the mend: ${after.outcome} ${after.reason}`.trimEnd());
  return isThere;
}

try {
  const { values, positionals } = parseArgs({
    options: { all: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  if (values.all === positionals.length > 0) throw new CannotReproduce(USAGE);
  const why = await whyNoHistory(ROOT);
  if (why !== undefined) throw new CannotReproduce(why);
  let missed = 0;
  for (const defect of wanted(positionals, values.all)) if (!(await tell(defect))) missed += 1;
  process.exitCode = missed === 0 ? 0 : 1;
} catch (error) {
  if (!(error instanceof CannotReproduce) && !(error instanceof TypeError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
