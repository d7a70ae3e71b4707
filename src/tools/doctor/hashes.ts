import { availableParallelism } from 'node:os';
import { type HashCost, hashPassword, verifyPassword } from '../../core/identity/password-hash.ts';
import { OWASP } from '../../core/settings/dangerous-settings.ts';
import { hashCostIn } from '../../core/settings/derived.ts';
import { variableOf } from '../../core/settings/table.ts';
import { type DoctorCheck, ok } from '../../faces/cli/doctor-check.ts';

/** Milliseconds of the measurement. */
const LENGTH = 250;
/** Milliseconds that a check of a password may take if its cost is set as high as people bear. */
const BEARABLE = 250;
/** The largest value of the setting. */
const MOST_PASSES = 100;

/** Checks a password again and again, as many at once as there are cores. Resolves to checks a millisecond. */
async function rateOf(cost: HashCost, atOnce: number): Promise<number> {
  const password = 'correct-horse-battery';
  const stored = await hashPassword(password, cost);
  const began = performance.now();
  let count = 0;
  const repeat = async () => {
    do {
      await verifyPassword(stored, password);
      count += 1;
    } while (performance.now() - began < LENGTH);
  };
  await Promise.all(Array.from({ length: atOnce }, repeat));
  return count / (performance.now() - began);
}

/**
 * The settings with which a check takes `target` milliseconds, if it takes `each` at this cost. Time grows with memory
 * times passes. More passes need no more memory, so they come first (RFC 9106, section 4), but they do not make up for less
 * memory than the default. Undefined if that takes longer.
 */
export function settingsThatTake(
  target: number,
  { memory, passes }: Pick<HashCost, 'memory' | 'passes'>,
  each: number,
): string | undefined {
  const work = (memory * passes * target) / each;
  if (work < OWASP.memory) return undefined;
  const enough = Math.max(memory, OWASP.memory);
  const rounded = Math.min(MOST_PASSES, Math.max(1, Math.round(work / enough)));
  const fits = work >= enough && work <= enough * MOST_PASSES;
  const setting = `${variableOf('hashPasses')}=${rounded}`;
  if (fits && enough === memory) return setting;
  return `${setting} and ${variableOf('hashMemory')}=${fits ? enough : Math.round(work / rounded)}`;
}

/** How many logins a second the cost of a password hash leaves this machine, and the cost that takes 250 ms. */
export const hashesCheck: DoctorCheck = {
  name: 'hashes',
  page: 'docs/how-to/passwords.md',
  async look({ settings }) {
    const cost = hashCostIn(settings);
    const atOnce = availableParallelism();
    const rate = await rateOf(cost, atOnce);
    const each = atOnce / rate;
    const [perSecond, milliseconds] = [rate * 1_000, each].map((value) => Number(value.toPrecision(2)));
    const dearer = settingsThatTake(BEARABLE, cost, each);
    const mend = dearer === undefined ? '' : `; ${dearer} would make it about ${BEARABLE} ms`;
    return [
      ok(
        `at most ${perSecond} logins a second: a check of a password takes ${milliseconds} ms while ${atOnce} run at a time${mend}`,
      ),
    ];
  },
};
