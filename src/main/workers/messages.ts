import type { OpeningParts } from '../../capabilities/capability.ts';
import type { Announcement } from '../../core/first-start.ts';
import type { SettingInEffect } from '../../core/settings/read.ts';
import type { Settings } from '../../core/settings/table.ts';

/** What the primary process asks a worker. A worker answers `listenNoMore` once it takes no new connections. */
export type WorkerQuery = 'ready' | 'metrics' | 'beNotReady' | 'listenNoMore';

/** How a worker has to start. */
export interface Plan {
  readonly settings: Settings;
  readonly inEffect: readonly SettingInEffect[];
  readonly openTelemetry: OpeningParts['openTelemetry'];
  readonly onTerminal: boolean;
  readonly sweeps: boolean;
}

/** A message to a worker. */
export type ToWorker =
  | { readonly start: Plan }
  | { readonly ask: WorkerQuery; readonly number: number }
  | { readonly does: 'stop' | 'drainAndStop' | 'reload' };

/** An error as it passes between processes. */
export interface Fault {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
}

/** A message from a worker. `started` is the URL that it serves. */
export type FromWorker =
  | { readonly announcement: Announcement }
  | { readonly started: string }
  | { readonly failed: Fault }
  | { readonly number: number; readonly answer: string | undefined };

/** An error in the form in which it is sent. */
export function faultOf(error: unknown): Fault {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { name, message, stack };
}

/** The error that was sent. */
export function errorOf({ name, message, stack }: Fault): Error {
  const error = new Error(message);
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return error;
}
