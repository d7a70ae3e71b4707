import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { load, type Measured } from '../load/load.ts';
import { validationOf, validations } from '../load/request-files.ts';
import { processorMicroseconds } from '../load/shares.ts';
import { whyNoLoad } from '../load/tool.ts';
import { machine } from '../report/machine.ts';
import { asMarkdown, asText, measuredOn, type Page, writePart } from '../report/page.ts';
import { ticketOf, zipf } from '../seeding/draws.ts';
import { seed } from '../seeding/tickets.ts';
import { bareLike } from '../servers/bare-like.ts';
import { inCheckout, type Server, startTessera } from '../servers/servers.ts';
import { byArea } from './areas.ts';
import { flameGraph } from './flame.ts';
import { type Stack, stacksIn } from './read.ts';

const FLAMES = 'validation.svg';
const [TICKETS, WORKING_SET, CONNECTIONS] = [20_000, 10_000, 64];
/** Seconds of load before the measurement, and of the measurement. */
const [WARM_UP, SECONDS] = [4, 6];
const QUIET = { TESSERA_LOG_LEVEL: 'warn' };
/** The interval of the profiler's samples in microseconds. */
const INTERVAL = 200;

/** Warms a server up and loads it with validations. */
async function loaded(server: Server, folder: string): Promise<Measured> {
  const requests = validations({ folder }, zipf(TICKETS, WORKING_SET), 1);
  await load(server, { requests, connections: CONNECTIONS, seconds: WARM_UP });
  return load(server, { requests, connections: CONNECTIONS, seconds: SECONDS });
}

/** The processor time of a validation in the service, and in a bare server with the same answer. */
async function compared(data: string, folder: string): Promise<{ ours: number; bare: number }> {
  await using ours = await startTessera(data, QUIET);
  const paths = [validationOf(0), validationOf(1)] as const;
  await using bare = await bareLike(ours, { paths, parts: [ticketOf(0), ticketOf(1)] });
  const both = [await loaded(ours, folder), await loaded(bare, folder)].map(processorMicroseconds);
  return { ours: both[0] as number, bare: both[1] as number };
}

/** The stacks of the service during validations. */
async function profiled(data: string, folder: string): Promise<Stack[]> {
  const profiles = join(folder, 'profiles');
  mkdirSync(profiles);
  const options = `--cpu-prof --cpu-prof-interval=${INTERVAL} --cpu-prof-dir=${profiles}`;
  const server = await startTessera(data, { ...QUIET, NODE_OPTIONS: options });
  await loaded(server, folder);
  const began = performance.now();
  await server[Symbol.asyncDispose]();
  return stacksIn(profiles, SECONDS * 1_000, performance.now() - began);
}

function pageOf(
  measured: string,
  { ours, bare }: { ours: number; bare: number },
  stacks: readonly Stack[],
): Page {
  const all = stacks.reduce((sum, { microseconds }) => sum + microseconds, 0);
  const rows = byArea(stacks).map(([area, microseconds]) => {
    const share = microseconds / all;
    return [area, (share * ours).toFixed(1), `${Math.round(share * 100)} %`];
  });
  return {
    above: [measured, `validate by \`alf_ticket\`, log at \`warn\`, ${CONNECTIONS} connections`],
    cells: [
      ['where', 'µs a request', 'share'],
      ...rows,
      ['all of it', ours.toFixed(1), '100 %'],
      ['a bare `node:http` server that answers the same', bare.toFixed(1), ''],
    ],
    below: [],
  };
}

async function run(report: boolean, folder: string): Promise<void> {
  const measured = measuredOn(new Date(), machine());
  const data = join(folder, 'data');
  await seed(data, TICKETS);
  const taken = await compared(data, folder);
  const stacks = await profiled(data, folder);
  const page = pageOf(measured, taken, stacks);
  process.stdout.write(asText(page));
  if (!report) return;
  writeFileSync(inCheckout(`docs/${FLAMES}`), flameGraph(stacks, 'One validation, by processor time'));
  writePart('profile', `${asMarkdown(page)}\n\n![Flame graph of a validation](${FLAMES})`);
}

const { values } = parseArgs({ options: { report: { type: 'boolean', default: false } } });
const folder = mkdtempSync(join(tmpdir(), 'tessera-profile-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
const why = whyNoLoad();
if (why === undefined) await run(values.report, folder);
else {
  process.stderr.write(`Nothing was measured: ${why}.\n`);
  process.exitCode = 1;
}
