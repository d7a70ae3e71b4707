import { Command } from 'commander';
import { type Announcement, announced, firstLogin } from '../../core/first-start.ts';
import { SettingsFaulty } from '../../core/settings/read.ts';
import { type Settings, variableOf } from '../../core/settings/table.ts';
import { visibleLines } from '../../core/visible.ts';
import { settingsFor, withSettings } from '../../faces/cli/context.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';
import type { Service } from '../main.ts';
import { inheritedPlace } from './inherited-place.ts';

/** Milliseconds in which a repeated signal is ignored: under `npm start` each Ctrl-C arrives twice. */
const REPEAT_IGNORED = 1_000;

/**
 * Resolves to the signal that asks the service to stop. The same signal again, after that time, ends the process at once.
 */
function askedToStop(): Promise<'SIGTERM' | 'SIGINT'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const stop = () => {
        resolve(signal);
        setTimeout(() => process.off(signal, stop), REPEAT_IGNORED).unref();
      };
      process.on(signal, stop);
    }
  });
}

/** Makes SIGHUP reload the service once it has started. Without a listener the signal would end the process. */
function reloadedOnHangup(starting: Promise<Service>): void {
  // Another place reports a failed start.
  const reload = () =>
    starting.then(
      (service) => service.reload(),
      () => undefined,
    );
  process.on('SIGHUP', reload);
}

const ONE_PROCESS = `${variableOf('workers')}: a socket that is passed by LISTEN_FDS serves one process: set 1`;

/** Loads the modules of the server only for this command, so that others start sooner. */
async function started(
  { settings, inEffect }: ReturnType<typeof settingsFor>,
  { env, stderr }: Terminal,
  onAdministrator: (announcement: Announcement) => void,
): Promise<Service> {
  const onTerminal = stderr.isTTY === true;
  const threads = env.UV_THREADPOOL_SIZE === undefined ? undefined : Number(env.UV_THREADPOOL_SIZE);
  const openTelemetry = Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('OTEL_')));
  const inherited = inheritedPlace(env, process.pid);
  if (settings.workers === 1)
    return (await import('../main.ts')).startService(settings, {
      onTerminal,
      onAdministrator,
      threads,
      openTelemetry,
      inEffect,
      inherited,
    });
  if (inherited !== undefined) throw new SettingsFaulty([ONE_PROCESS]);
  const { startWorkers } = await import('../workers/primary.ts');
  return startWorkers({ settings, inEffect, openTelemetry }, onTerminal, onAdministrator);
}

/** Keeps other services out of the data folder of the embedded store. Several may share any other store. */
async function lockOf({ data, database }: Settings): Promise<Disposable | undefined> {
  return database === undefined
    ? (await import('../../engines/embedded-store.ts')).holdFolder(data)
    : undefined;
}

/** `tessera serve` */
export function serveCommand(terminal: Terminal): Command {
  return withSettings(
    terminal,
    new Command('serve').description('Run the service until it is stopped.'),
  ).action(async (options) => {
    const read = settingsFor(options, terminal);
    const { settings } = read;
    const stop = askedToStop();
    using _folder = await lockOf(settings);
    let administrator: Announcement | undefined;
    const starting = started(read, terminal, (announcement) => {
      administrator = announcement;
      terminal.stderr.write(visibleLines(announced(announcement)));
    });
    reloadedOnHangup(starting);
    const service = await starting;
    if (administrator !== undefined) {
      const { curlWords, portalAddress } = await import('../reachable.ts');
      const login = curlWords(service.url, `${settings.basePaths[0] ?? ''}/api/login`, settings);
      const portal = portalAddress(service.url, settings);
      terminal.stderr.write(visibleLines(firstLogin(administrator, login, portal)));
    }
    terminal.stderr.write(`Tessera listens on ${service.url}\n`);
    // A person at a terminal waits for no proxy.
    if ((await stop) === 'SIGTERM') await service.drain();
    await service.stop();
  });
}
