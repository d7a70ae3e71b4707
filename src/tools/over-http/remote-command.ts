import type { AdminClient } from '../../client/admin.ts';
import type { PrintedRow } from '../../faces/cli/print.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';

/** The work of a command over HTTP. */
export interface RemoteCommand {
  /** The options that it takes there, by the names that commander gives them. */
  readonly options: readonly string[];
  /** `words` are the arguments of the command, in their order. */
  readonly does: (
    admin: AdminClient,
    words: readonly string[],
    options: Readonly<Record<string, unknown>>,
    terminal: Terminal,
  ) => Promise<void>;
}

/** Pages of a list, as rows to print. */
export async function* rowsOf<T>(
  pages: AsyncIterable<readonly T[]>,
  rowOf: (item: T) => PrintedRow,
): AsyncGenerator<PrintedRow[]> {
  for await (const page of pages) yield page.map(rowOf);
}
