import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { FileWatch, stampOf } from '../file-watch.ts';
import { loadRules } from './load.ts';
import type { GateRules } from './rules.ts';

/** The document of the rules, and how they compare names. */
interface RuleSources {
  readonly file: string;
  readonly namesCaseSensitive: boolean;
}

/** Called with the outcome of each reload. */
interface RuleReports {
  readonly onLoaded: (rules: GateRules) => void;
  readonly onFault: (fault: unknown) => void;
}

const codeOf = (fault: unknown) => String((fault as NodeJS.ErrnoException).code);

function ruleStamp(file: string): string {
  try {
    return stampOf(file, statSync(file));
  } catch (fault) {
    return codeOf(fault);
  }
}

const ruleStampAsync = (file: string): Promise<string> =>
  stat(file).then((stats) => stampOf(file, stats), codeOf);

/** Keeps the rules in force. If the document becomes faulty or cannot be read, the last good rules stay. */
export class RulesKeeper {
  readonly #sources: RuleSources;
  readonly #reports: RuleReports;
  readonly #watch: FileWatch;
  #rules: GateRules;

  /** Loads the rules and watches their document until `close`. Throws `DocumentsFaulty`. */
  constructor(sources: RuleSources, reports: RuleReports) {
    const { file } = sources;
    this.#sources = sources;
    this.#reports = reports;
    this.#watch = new FileWatch({
      stamp: () => ruleStamp(file),
      stampAsync: () => ruleStampAsync(file),
      onChange: () => this.reload(),
    });
    this.#watch.noteReading();
    this.#rules = this.#load();
    this.#watch.start();
  }

  #load(): GateRules {
    return loadRules(this.#sources.file, this.#sources.namesCaseSensitive);
  }

  /** The rules in force. */
  get current(): GateRules {
    return this.#rules;
  }

  /** Loads the rules again. A faulty document is reported and changes nothing. */
  reload(): void {
    this.#watch.noteReading();
    try {
      this.#rules = this.#load();
      this.#reports.onLoaded(this.#rules);
    } catch (fault) {
      this.#reports.onFault(fault);
    }
  }

  close(): void {
    this.#watch.close();
  }
}
