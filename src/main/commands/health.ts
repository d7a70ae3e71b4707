import { Command } from 'commander';
import { settingsFor, withSettings } from '../../faces/cli/context.ts';
import { CommandRefused } from '../../faces/cli/failure.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';

/** Milliseconds within which the service answers: it gives its own store two seconds. */
const WITHIN = 4_000;
/** Addresses that stand for every address of the machine: a listener has them, and nobody can ask there. */
const OF_THE_MACHINE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Why there is no answer, in the words of the system: `ECONNREFUSED`, for example. */
const reasonOf = (error: unknown): string => {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
};

async function askReady(url: string): Promise<{ isReady: boolean; says: string }> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(WITHIN), redirect: 'error' });
    return { isReady: answer.ok, says: (await answer.text()).trim() };
  } catch (error) {
    return { isReady: false, says: `no answer from ${url}: ${reasonOf(error)}` };
  }
}

const KEYS = ['metricsHost', 'metricsPort'] as const;

/**
 * `tessera health`: for the health check of a container. Exit code 0 if the service on this machine is ready, 1 if not. It reads no other
 * setting, since a file that one of them names may be gone while the service runs.
 */
export function healthCommand(terminal: Terminal): Command {
  const command = new Command('health').description('Tell whether the service on this machine is ready.');
  return withSettings(terminal, command, KEYS).action(async (options) => {
    const { metricsHost, metricsPort } = settingsFor(options, terminal, KEYS).settings;
    if (metricsPort === 0) throw new CommandRefused('TESSERA_METRICS_PORT is 0, so nobody can be asked');
    const host = OF_THE_MACHINE[metricsHost] ?? metricsHost;
    const at = host.includes(':') ? `[${host}]` : host;
    const { isReady, says } = await askReady(`http://${at}:${metricsPort}/health/ready`);
    if (!isReady) throw new CommandRefused(says);
    terminal.stdout.write(`${says}\n`);
  });
}
