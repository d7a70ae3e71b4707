import type { CaseResult, CaseVerdict } from '../../../conformance/player/play.ts';
import { type PrintedRow, printList } from '../../faces/cli/print.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';
import type { Secrets } from './secrets.ts';

/** The meaning of each result. */
export const VERDICTS: Readonly<Record<CaseVerdict, string>> = {
  passed: 'Answered as Tessera answers.',
  reference: 'As the reference does, where Tessera departs from it on purpose (mark ≠).',
  beyond: 'Without something that Tessera has beside the reference (mark +).',
  failed: 'Neither as Tessera answers nor, where that differs, as the reference does.',
  skipped: 'Not played: it needs --other-user or --guest.',
};

const HEADINGS = ['case', 'section', 'mark', 'result', 'expected', 'came'];

function rowOf({ file, played, verdict, differences }: CaseResult, secrets: Secrets): PrintedRow {
  const [first] = differences;
  return {
    case: played.name,
    section: played.section ?? file.section,
    mark: played.mark,
    result: verdict,
    expected: first && secrets.masked(first.expected),
    came: first && secrets.masked(first.came),
  };
}

/** Prints the result of each case with its first difference, and the number of each result. */
export async function printReport(
  terminal: Terminal,
  done: readonly CaseResult[],
  secrets: Secrets,
  asJson: boolean,
): Promise<void> {
  const rows = done.map((played) => rowOf(played, secrets));
  await printList(terminal, HEADINGS, [rows], asJson);
  if (asJson) return;
  const counts = (Object.keys(VERDICTS) as CaseVerdict[])
    .map((verdict) => ({ verdict, count: done.filter((played) => played.verdict === verdict).length }))
    .filter(({ count }) => count > 0);
  terminal.stdout.write(`\n${counts.map(({ verdict, count }) => `${count} ${verdict}`).join(', ')}\n`);
}
