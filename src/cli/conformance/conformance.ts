import { Command } from 'commander';
import { Client, Refused as RefusedByServer } from '../../client/client.ts';
import type { Played, Verdict } from '../../conformance/play.ts';
import { conformance, type Subject } from '../../conformance/run.ts';
import { Secrets } from '../../conformance/secrets.ts';
import type { Terminal } from '../context.ts';
import { Refused, WrongUsage } from '../failure.ts';
import { ProgressBar } from '../progress.ts';
import { type AccountOptions, accountIn, otherIn } from './accounts.ts';
import { type CaseOptions, casesIn } from './cases.ts';
import { printReport, VERDICTS } from './report.ts';

interface Options extends AccountOptions, CaseOptions {
  readonly guest?: string;
  readonly node: string;
  readonly path: string;
  readonly v1?: string;
  readonly strict?: true;
  readonly json?: true;
}

/** Not read by commander, which repeats what it cannot read: a password may stand in it. */
function serverUrl(name: string, text: string): URL {
  try {
    // Says what is wrong with it.
    new Client(text);
    return new URL(text);
  } catch (error) {
    throw new WrongUsage(`${name}: ${(error as Error).message}`);
  }
}

/** A node or a path below its store, as a URL has it: `workspace://SpacesStore/x` as `workspace/SpacesStore/x`. */
const belowStore = (text: string) => text.replace('://', '/');

async function subjectIn(address: string, options: Options, terminal: Terminal): Promise<Subject> {
  const url = serverUrl('<url>', address);
  const v1 = options.v1 === undefined ? undefined : serverUrl('--v1', options.v1);
  const account = await accountIn(options, terminal);
  const { guest, node, path } = options;
  return { url, v1, account, other: otherIn(options), guest, node: belowStore(node), path: belowStore(path) };
}

/** Logs in once, so that a wrong password or address is told as such, and not by every case. */
async function firstTicket(
  client: Client,
  { user: username, password }: Subject['account'],
  secrets: Secrets,
): Promise<string> {
  try {
    return (await client.login({ username, password })).ticket;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const status = error instanceof RefusedByServer ? ` (${error.status})` : '';
    throw new Refused(`"${username}" cannot log in there: ${secrets.masked(error.message)}${status}.`);
  }
}

/** Ends what the run was given; a ticket that is dead already is none to end. */
async function logOutAll(client: Client, tickets: ReadonlySet<string>): Promise<void> {
  for (const ticket of tickets) {
    await client
      .withTicket(ticket)
      .logout()
      .catch(() => undefined);
  }
}

const FAILURES: readonly Verdict[] = ['failed'];
const STRICT_FAILURES: readonly Verdict[] = ['failed', 'reference', 'beyond'];

async function runConformance(address: string, options: Options, terminal: Terminal): Promise<void> {
  const files = casesIn(options);
  const count = files.reduce((sum, { cases }) => sum + cases.length, 0);
  const subject = await subjectIn(address, options, terminal);
  const secrets = new Secrets();
  for (const { user, password } of [subject.account, subject.other ?? subject.account])
    secrets.add(user, password);
  const client = new Client(subject.url);
  const tickets = new Set([await firstTicket(client, subject.account, secrets)]);
  const bar = new ProgressBar(terminal);
  const done: Played[] = [];
  try {
    for await (const played of conformance(files, subject, (ticket) => tickets.add(ticket))) {
      done.push(played);
      bar.show(done.length / count, played.played.name);
    }
  } finally {
    bar.clear();
    await logOutAll(client, tickets);
  }
  await printReport(terminal, done, secrets, options.json === true);
  if (done.every(({ verdict }) => verdict === 'skipped'))
    throw new Refused(
      'No case could be played: give the accounts that they need by --other-user or --guest.',
    );
  const failures = options.strict ? STRICT_FAILURES : FAILURES;
  const wrong = done.filter(({ verdict }) => failures.includes(verdict)).length;
  if (wrong > 0) throw new Refused(`${wrong} of ${count} cases are not answered as they have to be.`);
}

/** `tessera conformance` */
export function conformanceCommand(terminal: Terminal): Command {
  const legend = Object.entries(VERDICTS).map(([verdict, meaning]) => `  ${verdict.padEnd(10)} ${meaning}`);
  return new Command('conformance')
    .description('Play the published cases of the API against a server, this one or another.')
    .argument('<url>', 'Its base URL, such as https://host/alfresco/service.')
    .requiredOption('--user <name>', 'An account that cases log in with: take one made for that.')
    .option('--password-file <file>', 'File that holds its password.')
    .option('--password-stdin', 'Read its password from standard input.')
    .option('--other-user <name>', 'A second account, whose tickets are none of the first one’s.')
    .option('--other-password-file <file>', 'File that holds the password of that.')
    .option('--guest <name>', 'A user without a password.')
    .option('--node <node>', 'A node that is there.', 'workspace://SpacesStore/company-home')
    .option('--path <path>', 'A path that is there.', 'workspace://SpacesStore/Company Home')
    .option('--v1 <url>', 'Where its v1 API is (default: /alfresco/api/-default-/public there).')
    .option('--cases <folder>', 'Cases of your own, in place of the published ones.')
    .option('--only <text>', 'Only cases whose name holds this.')
    .option(
      '--strict',
      'Also refuse what differs where Tessera departs from the reference or goes beyond it.',
    )
    .option('--json', 'As JSON.')
    .addHelpText('after', `\nResults:\n${legend.join('\n')}`)
    .action((address: string, options: Options) => runConformance(address, options, terminal));
}
