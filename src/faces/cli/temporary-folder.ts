import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandRefused } from './failure.ts';

/** Runs `work` on temporary files. Throws {@link CommandRefused} if the system has no space for them. */
export function temporarily<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new CommandRefused(
      `There is no place for temporary files: ${(error as Error).message}: name a folder in TMPDIR that has some.`,
    );
  }
}

/**
 * Makes a folder for files that are removed when the command ends. Throws {@link CommandRefused} like {@link
 * temporarily}.
 */
export function temporaryFolder(purpose: string): string {
  return temporarily(() => mkdtempSync(join(tmpdir(), `tessera-${purpose}-`)));
}
