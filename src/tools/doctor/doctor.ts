import { Command } from 'commander';
import { isLoopback } from '../../core/settings/combinations.ts';
import { secretOf } from '../../core/settings/given.ts';
import { SettingsFaulty } from '../../core/settings/read.ts';
import { variableOf } from '../../core/settings/table.ts';
import type { OpenedStore } from '../../core/storage/opened-store.ts';
import { visible } from '../../core/visible.ts';
import { settingsFor, withSettings } from '../../faces/cli/context.ts';
import {
  type CheckResult,
  type DoctorCheck,
  type DocumentLoaders,
  type Examined,
  messageOf,
  sentence,
  skipped,
} from '../../faces/cli/doctor-check.ts';
import { CommandRefused, WrongUsage } from '../../faces/cli/failure.ts';
import { print } from '../../faces/cli/print.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';

interface DoctorOptions {
  readonly json?: true;
  readonly backups?: string;
  readonly url?: string;
  readonly apiKeyFile?: string;
  readonly config?: string;
}

/** The settings file and the files of secrets that were named. */
function filesIn(options: DoctorOptions, { env, settings: table }: Terminal): Examined['files'] {
  const config = options.config ?? env.TESSERA_CONFIG;
  const named = table.keys
    .filter((key) => table.isSecret(key))
    .map((key) => {
      const variable = variableOf(key);
      const flag = (options as Readonly<Record<string, string | undefined>>)[`${key}File`];
      return { file: flag ?? (env[variable] ? undefined : env[`${variable}_FILE`]), from: variable };
    });
  return [{ file: config, from: 'the settings file' }, ...named].flatMap(({ file, from }) =>
    file ? [{ file, from }] : [],
  );
}

/** The address of the service. Throws {@link WrongUsage}. */
function urlIn(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  if (/^https?:/.test(text) && URL.canParse(text)) return new URL(text);
  throw new WrongUsage('--url: write one such as https://tickets.example.org');
}

/** The API key in the file. Throws {@link WrongUsage}. */
function keyIn({ url, apiKeyFile: file }: DoctorOptions): string | undefined {
  if (file === undefined) return undefined;
  const to = urlIn(url);
  if (to === undefined) throw new WrongUsage('--api-key-file is for the service of --url: give both.');
  if (to.protocol === 'http:' && !isLoopback(to.hostname))
    throw new WrongUsage('--url: plain HTTP would carry the API key openly: use https.');
  try {
    return secretOf({ from: '--api-key-file', file });
  } catch (error) {
    throw new WrongUsage(`--api-key-file: ${(error as Error).message}`);
  }
}

const SHUT = [skipped('the store cannot be opened')];

/**
 * Makes one check. A fault that ends it is a result, too. `shut` says why the store cannot be opened; only the check of the
 * store itself reports it.
 */
async function resultsOf(
  { look, needsStore }: DoctorCheck,
  examined: Examined,
  shut: string | undefined,
): Promise<readonly CheckResult[]> {
  if (shut !== undefined && needsStore) return SHUT;
  try {
    return await look(examined);
  } catch (error) {
    const why = messageOf(error);
    return why === shut ? SHUT : [sentence('fault', why)];
  }
}

const textOf = (result: CheckResult) => ('mend' in result ? `${result.what}: ${result.mend}` : result.what);

const OF_SETTINGS = { name: 'settings', page: 'docs/how-to/settings.md' };
const OTHERS = { ...OF_SETTINGS, name: 'all others' };

const isOpen = () => undefined;

/** Prints results as they come, and counts them. */
class DoctorReport {
  readonly #terminal: Terminal;
  readonly #asJson: boolean;
  readonly #rows: object[] = [];
  readonly counts = { ok: 0, skipped: 0, warning: 0, fault: 0 };

  constructor(terminal: Terminal, asJson: boolean) {
    this.#terminal = terminal;
    this.#asJson = asJson;
  }

  async add(
    { name, page }: Pick<DoctorCheck, 'name' | 'page'>,
    results: readonly CheckResult[],
  ): Promise<void> {
    for (const result of results) {
      this.counts[result.level] += 1;
      const see = 'mend' in result ? ` (${page})` : '';
      const line = `${result.level.padEnd(7)}  ${name.padEnd(11)}  ${visible(textOf(result))}${see}\n`;
      if (this.#asJson) this.#rows.push({ check: name, ...result, page });
      else await print(this.#terminal, line);
    }
  }

  /** Prints what is left to print. Throws if there was a fault. */
  async end(): Promise<void> {
    const { fault, warning } = this.counts;
    const some = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;
    if (this.#asJson) await print(this.#terminal, `${visible(JSON.stringify(this.#rows))}\n`);
    else if (fault === 0) await print(this.#terminal, `No fault, ${some(warning, 'warning')}.\n`);
    if (fault > 0) throw new CommandRefused(`${some(fault, 'fault')}, ${some(warning, 'warning')}.`);
  }
}

/** A store that is opened when it is first asked for. */
function openedOnce(open: () => Promise<OpenedStore>) {
  let opened: Promise<OpenedStore> | undefined;
  return {
    store: () => {
      opened ??= open();
      return opened;
    },
    close: () =>
      opened?.then(
        ({ store }) => store.close(),
        () => undefined,
      ),
  };
}

/** What the capabilities have for the doctor; loaded when it runs. */
export interface FurtherParts {
  checks(): Promise<readonly DoctorCheck[]>;
  documents(): Promise<DocumentLoaders>;
}

async function examine(
  options: DoctorOptions,
  report: DoctorReport,
  terminal: Terminal,
  further: FurtherParts,
): Promise<void> {
  const { settings, inEffect } = settingsFor({ ...options }, terminal);
  const { backups } = options;
  const [url, key] = [urlIn(options.url), keyIn(options)];
  const { store, close } = openedOnce(() => terminal.openStore(settings, 'command'));
  const { settings: table } = terminal;
  const documents = await further.documents();
  const files = filesIn(options, terminal);
  const examined = { settings, table, documents, inEffect, files, url, key, backups, store };
  const { CHECKS, proxyCheck, storeCheck } = await import('./checks.ts');
  try {
    let shut: string | undefined;
    for (const check of [...CHECKS, ...(await further.checks()), proxyCheck]) {
      await report.add(check, await resultsOf(check, examined, shut));
      if (check === storeCheck) shut = await store().then(isOpen, messageOf);
    }
  } finally {
    await close();
  }
}

/** `tessera doctor`, with the checks and documents of the capabilities. */
export function doctorWith(further: FurtherParts, terminal: Terminal): Command {
  const command = new Command('doctor').description(
    'Look at the set-up of the service, and say what is wrong and how to mend it. Changes nothing.',
  );
  return withSettings(terminal, command)
    .option('--backups <place>', 'File or folder of the backups, to look at the newest one.')
    .option('--url <url>', 'Where clients reach the service, to look at the way there.')
    .option(
      '--api-key-file <file>',
      'File with an API key for that service, to see what arrives of a request.',
    )
    .option('--json', 'As JSON.')
    .action(async (options: DoctorOptions) => {
      const report = new DoctorReport(terminal, options.json === true);
      try {
        await examine(options, report, terminal, further);
      } catch (error) {
        if (!(error instanceof SettingsFaulty)) throw error;
        await report.add(
          OF_SETTINGS,
          error.faults.map((each) => sentence('fault', each)),
        );
        await report.add(OTHERS, [skipped('the settings have to be mended first')]);
      }
      await report.end();
    });
}
