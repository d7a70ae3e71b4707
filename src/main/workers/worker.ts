import cluster from 'node:cluster';
import type { Announcement } from '../../first-start.ts';
import { type OneProcess, startService } from '../../main.ts';
import { openLog } from '../../telemetry/log.ts';
import { sharedOutput } from '../../telemetry/output.ts';
import { type FromWorker, faultOf, type Plan, type ToWorker, type WorkerQuery } from './messages.ts';

/** One worker process: a whole service whose socket is shared with the others, steered by the primary process. */

let service: OneProcess | undefined;

const tell = (message: FromWorker) => process.send?.(message);

async function start({ settings, onTerminal, sweeps }: Plan) {
  try {
    const log = openLog(settings.logLevel, sharedOutput());
    const onAdministrator = (made: Announcement) => void tell({ made });
    // The primary process has the metrics port, and warns of plain HTTP once for all workers.
    const own = { ...settings, metricsPort: 0, insecureHttp: true };
    service = await startService(own, { onTerminal, onAdministrator, sweeps, log });
    tell({ started: service.url });
  } catch (error) {
    tell({ failed: faultOf(error) });
    process.disconnect?.();
  }
}

async function stop(): Promise<void> {
  // What has not started yet has nothing to finish: without its primary process it ends at once.
  if (service === undefined) return process.disconnect?.();
  await service.stop();
  // Cluster's own way: at any other disconnection it ends the process at once, with its last log lines.
  cluster.worker?.disconnect();
}

/** The metrics, or nothing: one that cannot tell them is left out of the text, as one that does not answer is. */
async function metricsOf({ metrics, onFault }: OneProcess['watched']): Promise<string> {
  try {
    return await metrics.text();
  } catch (fault) {
    onFault(new Error('the metrics cannot be told', { cause: fault }));
    return '';
  }
}

const ANSWERS: Readonly<Record<WorkerQuery, (of: OneProcess) => Promise<string | undefined> | undefined>> = {
  ready: ({ watched }) => watched.ready(),
  metrics: ({ watched }) => metricsOf(watched),
  listenNoMore: (of) => void of.listenNoMore(),
};

async function answer(ask: WorkerQuery, number: number): Promise<void> {
  if (service === undefined) tell({ number, answer: ask === 'ready' ? 'starting' : '' });
  else tell({ number, answer: await ANSWERS[ask](service) });
}

// A terminal sends these to every process of the group: the primary one decides.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('message', (message: ToWorker) => {
  if ('start' in message) void start(message.start);
  else if ('ask' in message) void answer(message.ask, message.number);
  else if (message.does === 'stop') void stop();
  else service?.reload();
});
