import { parseArgs } from 'node:util';
import { WrongUsage, wholeNumber } from '../options.ts';
import { machine } from '../report/machine.ts';
import { measuredOn } from '../report/page.ts';
import type { Engine, Size } from './engine.ts';
import { type Found, hashSeconds, measureAt, type Rate } from './measure.ts';
import { people } from './people.ts';
import { postgres } from './postgres.ts';
import { redis } from './redis.ts';
import { sqlite } from './sqlite.ts';

const ENGINES: readonly Engine[] = [sqlite, postgres, redis];
const MOST_USERS = 1_000_000;
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** One user for ten tickets; a million users from a million tickets on. */
function sizeFor(tickets: number): Size {
  return { tickets, users: tickets < MOST_USERS ? Math.max(1, Math.floor(tickets / 10)) : MOST_USERS };
}

const OPTIONS = {
  engines: { type: 'string', default: ENGINES.map(({ name }) => name).join(',') },
  tickets: { type: 'string', default: '10000,1000000' },
  seconds: { type: 'string', default: '5' },
} as const;

function valuesIn(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS }).values;
  } catch (error) {
    throw new WrongUsage((error as Error).message);
  }
}

/** Reads the command line. Throws {@link WrongUsage}. */
export function readScaleOptions(words: readonly string[]) {
  const values = valuesIn(words);
  const engines = values.engines.split(',').map((name) => {
    const engine = ENGINES.find((candidate) => candidate.name === name);
    if (engine === undefined)
      throw new WrongUsage(`no engine "${name}": there are ${OPTIONS.engines.default}`);
    return engine;
  });
  const sizes = values.tickets.split(',').map((text) => sizeFor(Number(text)));
  if (sizes.some(({ tickets }) => !Number.isInteger(tickets) || tickets < 1_000))
    throw new WrongUsage('--tickets takes whole numbers from 1000 on, with commas between');
  return { engines, sizes, seconds: wholeNumber('seconds', values.seconds, 1) };
}

const rated = ({ perSecond, perOwnCore, perServerCore }: Rate) => [
  whole.format(perSecond),
  whole.format(perOwnCore),
  perServerCore === undefined ? '–' : whole.format(perServerCore),
];

const HEAD = [
  ...['engine', 'tickets', 'users', 'bytes/ticket', 'bytes/user', 'look-ups/s', '…/instance core'],
  ...[
    '…/server core',
    'issues/s',
    '…/instance core',
    '…/server core',
    'uses/s',
    '…/instance core',
    '…/server core',
    'filled in s',
  ],
];

function cellsOf({
  engine,
  size,
  bytesPerTicket,
  bytesPerUser,
  lookUps,
  issues,
  uses,
  fillSeconds,
}: Found): string[] {
  return [
    engine.name,
    whole.format(size.tickets),
    whole.format(size.users),
    `${whole.format(bytesPerTicket)} (${engine.keptIn})`,
    whole.format(bytesPerUser),
    ...rated(lookUps),
    ...rated(issues),
    ...rated(uses),
    whole.format(fillSeconds),
  ];
}

/** Measures each engine at each size and prints a line for each, or what many people cost. Returns the exit code. */
export async function scale(words: readonly string[], folder: string): Promise<number> {
  if (words[0] === 'people') return people(words.slice(1), folder);
  const { engines, sizes, seconds } = readScaleOptions(words);
  const say = (progress: string) => process.stderr.write(`${progress}\n`);
  const lines = [
    measuredOn(new Date(), machine()),
    ...engines.map(({ name, about }) => `${name}: ${about}`),
    HEAD.join(' | '),
  ];
  for (const engine of engines) {
    for (const size of sizes) {
      const found = await measureAt(engine, size, { seconds, folder, say });
      lines.push(cellsOf(found).join(' | '));
      say(lines.at(-1) as string);
    }
  }
  lines.push(`a password hash: ${(await hashSeconds()).toFixed(3)} CPU seconds`);
  process.stdout.write(`\n${lines.join('\n')}\n`);
  return 0;
}
