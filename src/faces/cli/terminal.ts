import type { Command } from 'commander';

/** The process that runs a command. Tests replace it. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** Makes a command for a terminal. */
export type MakeCommand = (terminal: Terminal) => Command;
