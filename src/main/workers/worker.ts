import cluster from 'node:cluster';
import type { Announcement } from '../../core/first-start.ts';
import { openLog, sharedOutput } from '../../core/telemetry/log.ts';
import { type OneProcess, startService } from '../main.ts';
import { type FromWorker, faultOf, type Plan, type ToWorker, type WorkerQuery } from './messages.ts';

/** One worker process: a whole service that shares its socket with the others. The primary process controls it. */

let service: OneProcess | undefined;

const send = (message: FromWorker) => process.send?.(message);

async function start({ settings, onTerminal, ...plan }: Plan) {
  try {
    const log = openLog(settings.logLevel, sharedOutput());
    const onAdministrator = (announcement: Announcement) => void send({ announcement });
    // The primary process has the metrics port, and warns of plain HTTP once for all workers.
    const own = { ...settings, metricsPort: 0, insecureHttp: true };
    service = await startService(own, { ...plan, onTerminal, onAdministrator, log });
    send({ started: service.url });
  } catch (error) {
    send({ failed: faultOf(error) });
    process.disconnect?.();
  }
}

async function stop(drained: boolean): Promise<void> {
  // A worker that has not started has nothing to finish. It ends at once when it is disconnected.
  if (service === undefined) return process.disconnect?.();
  if (drained) await service.useUp();
  await service.stop();
  // This lets the process write its last log lines. Any other way to disconnect makes cluster end it at once.
  cluster.worker?.disconnect();
}

/** The metrics, or an empty text: a worker that cannot give them is left out, like one that does not answer. */
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
  beNotReady: (of) => void of.beNotReady(),
  listenNoMore: (of) => void of.listenNoMore(),
};

async function answer(ask: WorkerQuery, number: number): Promise<void> {
  if (service === undefined) send({ number, answer: ask === 'ready' ? 'starting' : '' });
  else send({ number, answer: await ANSWERS[ask](service) });
}

// A terminal sends these to every process of the group. Only the primary process acts on them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('message', (message: ToWorker) => {
  if ('start' in message) void start(message.start);
  else if ('ask' in message) void answer(message.ask, message.number);
  else if (message.does === 'reload') service?.reload();
  else void stop(message.does === 'drainAndStop');
});
