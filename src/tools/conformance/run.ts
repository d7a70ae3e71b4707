import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CaseFile } from '../../../conformance/player/case-file.ts';
import type { CaseResult, CaseVerdict } from '../../../conformance/player/play.ts';
import {
  type Account,
  DEADLINE,
  PUBLISHED,
  playCases,
  type Subject,
  serverOf,
} from '../../../conformance/player/run.ts';
import { exchange, type ServerUnderTest } from '../../../conformance/player/wire.ts';
import { Client, Refused as RefusedByServer } from '../../client/client.ts';
import { readDocument } from '../../core/documents/read-document.ts';
import { visible, visibleLines } from '../../core/visible.ts';
import { CommandRefused, WrongUsage } from '../../faces/cli/failure.ts';
import { withCleanup } from '../../faces/cli/interruption.ts';
import { answerTo, passwordIn, passwordOn } from '../../faces/cli/password.ts';
import { ProgressBar } from '../../faces/cli/progress.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';
import { printReport } from './report.ts';
import { Secrets } from './secrets.ts';

/** The options that name the accounts. */
interface AccountOptions {
  readonly user: string;
  readonly passwordFile?: string;
  readonly passwordStdin?: true;
  readonly otherUser?: string;
  readonly otherPasswordFile?: string;
}

/** The account of the run. Its password comes from a file, from standard input, or from a prompt on a terminal. */
async function accountIn(
  { user, passwordFile, passwordStdin }: AccountOptions,
  terminal: Terminal,
): Promise<Account> {
  if (passwordFile !== undefined && passwordStdin)
    throw new WrongUsage('Give the password by --password-file or by --password-stdin, not by both.');
  if (passwordFile !== undefined) return { user, password: passwordIn(passwordFile, '--password-file') };
  if (passwordStdin) return { user, password: await passwordOn(terminal) };
  if (!terminal.stdin.isTTY)
    throw new WrongUsage(
      'There is no terminal to ask for the password: give it by --password-file FILE, or on standard input with --password-stdin.',
    );
  return { user, password: await answerTo(`Password of ${user}: `, terminal) };
}

/** The second account; undefined when the options name none. */
function otherIn({ otherUser, otherPasswordFile }: AccountOptions): Account | undefined {
  if (otherUser === undefined && otherPasswordFile === undefined) return undefined;
  if (otherUser === undefined || otherPasswordFile === undefined)
    throw new WrongUsage('--other-user and --other-password-file go together.');
  return { user: otherUser, password: passwordIn(otherPasswordFile, '--other-password-file') };
}

/** The files of cases in a folder, in the order of their names. Throws `DocumentsFaulty` with every fault of a file. */
export function loadCases(folder: string = PUBLISHED): CaseFile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => readDocument(join(folder, name), CaseFile).value);
}

/** The options that choose cases. */
interface CaseOptions {
  readonly cases?: string;
  readonly only?: string;
}

function filesIn(folder?: string): CaseFile[] {
  try {
    const files = loadCases(folder);
    if (files.length > 0) return files;
    throw new WrongUsage(`--cases: there are no cases in ${folder}: name a folder with some in .json files`);
  } catch (error) {
    // A fault in a case has its own message.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new WrongUsage(`--cases: ${(error as Error).message}`);
  }
}

/** The chosen cases, at least one. Throws {@link WrongUsage} where there is none. */
function casesIn({ cases: folder, only = '' }: CaseOptions): CaseFile[] {
  const files = filesIn(folder)
    .map((file) => ({ ...file, cases: file.cases.filter(({ name }) => name.includes(only)) }))
    .filter(({ cases }) => cases.length > 0);
  if (files.length === 0) throw new WrongUsage(`There is no case whose name holds "${only}".`);
  return files;
}

/** A log-out that every server of this API accepts. */
const LOG_OUT = { ask: 'DELETE /api/login/ticket/{{ticket}}', basic: 'ROLE_TICKET:{{ticket}}' };

const DEAD_ALREADY = [401, 404];

/** Logs out these tickets, up to the first missing answer. Returns a line about the tickets that are left, or ''. */
async function logOutAll(server: ServerUnderTest, tickets: ReadonlySet<string>): Promise<string> {
  const left = new Set(tickets);
  let why: string | undefined;
  try {
    // A copy: tickets that the server issues meanwhile could go on for ever.
    for (const ticket of left) {
      // Leave out the server's own text: it may be any server.
      const { status } = await exchange(LOG_OUT, server, { ticket });
      if (status < 300 || DEAD_ALREADY.includes(status)) left.delete(ticket);
      else why ??= `The server answered ${status}`;
    }
  } catch (error) {
    why ??= `No answer: ${(error as Error).message}`;
  }
  if (why === undefined) return '';
  const count = left.size === 1 ? '1 ticket' : `${left.size} tickets`;
  return `${count} of the run could not be ended: ${why}.\n`;
}

/** The options of a run. */
export interface ConformanceOptions extends AccountOptions, CaseOptions {
  readonly guest?: string;
  readonly node: string;
  readonly path: string;
  readonly v1?: string;
  readonly strict?: true;
  readonly json?: true;
}

/** Parses a URL here and not in commander, whose error would repeat it: it may contain a password. */
function serverUrl(name: string, text: string): URL {
  try {
    // The client's error names the fault.
    new Client(text);
    return new URL(text);
  } catch (error) {
    throw new WrongUsage(`${name}: ${(error as Error).message}`);
  }
}

/** A node or a path in the form of a URL: `workspace://SpacesStore/x` becomes `workspace/SpacesStore/x`. */
const belowStore = (text: string) => text.replace('://', '/');

async function subjectIn(address: string, options: ConformanceOptions, terminal: Terminal): Promise<Subject> {
  const url = serverUrl('<url>', address);
  const v1 = options.v1 === undefined ? undefined : serverUrl('--v1', options.v1);
  const account = await accountIn(options, terminal);
  const { guest, node, path } = options;
  return { url, v1, account, other: otherIn(options), guest, node: belowStore(node), path: belowStore(path) };
}

/** Logs in once, so that a wrong password or address is one error, and not one in every case. */
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
    throw new CommandRefused(`"${username}" cannot log in there: ${secrets.masked(error.message)}${status}.`);
  }
}

const FAILURES: readonly CaseVerdict[] = ['failed'];
const STRICT_FAILURES: readonly CaseVerdict[] = ['failed', 'reference', 'beyond'];

/** A run, and whether a signal asked for its end. */
interface Run {
  readonly subject: Subject;
  readonly server: ServerUnderTest;
  readonly isToEnd: () => boolean;
}

const countOf = (files: readonly CaseFile[]) => files.reduce((sum, { cases }) => sum + cases.length, 0);

/** Plays the cases with a progress bar, until the end or a signal. */
async function playAll(
  files: readonly CaseFile[],
  { subject, server, isToEnd }: Run,
  terminal: Terminal,
): Promise<CaseResult[]> {
  const count = countOf(files);
  const bar = new ProgressBar(terminal);
  const done: CaseResult[] = [];
  try {
    for await (const played of playCases(files, subject, server)) {
      if (isToEnd()) break;
      done.push(played);
      bar.show(done.length / count, visible(played.played.name));
    }
  } finally {
    bar.clear();
  }
  return done;
}

/** Throws {@link CommandRefused} when a case failed, or when none could be played. */
function judge(done: readonly CaseResult[], strict: boolean): void {
  if (done.every(({ verdict }) => verdict === 'skipped'))
    throw new CommandRefused(
      'No case could be played: give the accounts that they need by --other-user or --guest.',
    );
  const failures = strict ? STRICT_FAILURES : FAILURES;
  const wrong = done.filter(({ verdict }) => failures.includes(verdict)).length;
  if (wrong > 0)
    throw new CommandRefused(`${wrong} of ${done.length} cases are not answered as they have to be.`);
}

/**
 * Plays the cases against the server at this address, and prints a report. Throws {@link CommandRefused} if a case failed, and
 * {@link WrongUsage}.
 */
export async function runConformance(
  address: string,
  options: ConformanceOptions,
  terminal: Terminal,
): Promise<void> {
  const files = casesIn(options);
  const subject = await subjectIn(address, options, terminal);
  const secrets = new Secrets();
  for (const { user, password } of [subject.account, subject.other ?? subject.account])
    secrets.add(user, password);
  const client = new Client(subject.url, { timeout: DEADLINE });
  const tickets = new Set([await firstTicket(client, subject.account, secrets)]);
  const server = serverOf(subject, (ticket) => tickets.add(ticket));
  let left = '';
  const done = await withCleanup(async (signal) => {
    try {
      return await playAll(files, { subject, server, isToEnd: () => signal() !== undefined }, terminal);
    } finally {
      // Log out before printing: a report that cannot be written ends the process.
      left = await logOutAll(server, tickets);
      if (signal() !== undefined) terminal.stderr.write(visibleLines(left));
    }
  });
  await printReport(terminal, done, secrets, options.json === true);
  terminal.stderr.write(visibleLines(left));
  judge(done, options.strict === true);
}
