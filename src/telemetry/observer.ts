import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Refusal } from '../domain/refusal.ts';
import { writeLine } from './log.ts';
import type { Metrics } from './metrics.ts';

/** What is told of a request once it is answered, as far as it was found out. */
export interface RequestRecord {
  readonly id: string;
  /** The operation's id; nothing where none was found. */
  readonly operation?: string | undefined;
  readonly isLogin?: boolean | undefined;
  readonly passwordInUrl?: boolean | undefined;
  readonly refusal?: Refusal | undefined;
  readonly status: number;
  /** Milliseconds; nothing where it was never a request, so that nobody knows when it began. */
  readonly duration?: number | undefined;
  readonly user?: string | undefined;
  readonly digest?: string | undefined;
  /** The name of the client that called. */
  readonly client?: string | undefined;
  readonly address?: string | undefined;
}

/** Request ids that no other process of this service gives: a random part, and a number. */
export function requestIds(): () => string {
  const process = randomBytes(4).toString('hex');
  let number = 0;
  return () => {
    number += 1;
    return `${process}-${number.toString(36)}`;
  };
}

/** Tells of each request: a line at `info`, and the metrics. */
export function observer(log: Logger, metrics: Metrics): (answered: RequestRecord) => void {
  return (answered) => {
    const { id, operation, isLogin, passwordInUrl, refusal, status, duration } = answered;
    const { user, digest, client, address } = answered;
    const outcome = refusal?.refused ?? 'ok';
    metrics.answered(operation ?? 'none', outcome, duration && duration / 1_000);
    if (isLogin) metrics.login(outcome);
    if (passwordInUrl) metrics.passwordInUrl();
    const ms = duration && Math.round(duration * 1_000) / 1_000;
    const reason = refusal?.reason;
    writeLine(
      log,
      { id, operation, outcome, reason, status, ms, user: user ?? refusal?.user, digest, client, address },
      'request',
    );
  };
}
