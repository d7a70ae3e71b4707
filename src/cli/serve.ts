import { Command } from 'commander';
import { type Announcement, announced, firstLogin } from '../first-start.ts';
import type { Service } from '../main.ts';
import type { Settings } from '../settings/table.ts';
import { visibleLines } from '../visible.ts';
import { settingsFor, type Terminal, withSettings } from './context.ts';

/** The milliseconds in which a signal that is repeated is the same wish: npm passes on the Ctrl-C that a terminal sends to all. */
const SAME_WISH = 1_000;

/** Resolves once the service is asked to stop; asked again by the same signal, later than that, the process ends at once. */
function askedToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const asked = () => {
        resolve();
        setTimeout(() => process.off(signal, asked), SAME_WISH).unref();
      };
      process.on(signal, asked);
    }
  });
}

/** Has SIGHUP reload the service, once it has started: without a listener it would end the process. */
function reloadedOnHangup(starting: Promise<Service>): void {
  // How a start fails is told elsewhere.
  const reload = () =>
    starting.then(
      (service) => service.reload(),
      () => undefined,
    );
  process.on('SIGHUP', reload);
}

/** What the server is made of is loaded for this command alone: the others start sooner. */
async function started(
  settings: Settings,
  { env, stderr }: Terminal,
  onAdministrator: (made: Announcement) => void,
): Promise<Service> {
  const onTerminal = stderr.isTTY === true;
  const threads = env.UV_THREADPOOL_SIZE === undefined ? undefined : Number(env.UV_THREADPOOL_SIZE);
  if (settings.workers === 1)
    return (await import('../main.ts')).startService(settings, { onTerminal, onAdministrator, threads });
  return (await import('../main/workers/primary.ts')).startWorkers(settings, onTerminal, onAdministrator);
}

/** `tessera serve` */
export function serveCommand(terminal: Terminal): Command {
  return withSettings(new Command('serve').description('Run the service until it is stopped.')).action(
    async (options) => {
      const { settings } = settingsFor(options, terminal);
      const stop = askedToStop();
      let administrator: Announcement | undefined;
      const starting = started(settings, terminal, (made) => {
        administrator = made;
        terminal.stderr.write(visibleLines(announced(made)));
      });
      reloadedOnHangup(starting);
      const service = await starting;
      if (administrator !== undefined) {
        const { curlWords } = await import('../main/reachable.ts');
        const login = curlWords(service.url, `${settings.basePaths[0] ?? ''}/api/login`, settings);
        terminal.stderr.write(visibleLines(firstLogin(administrator, login)));
      }
      terminal.stderr.write(`Tessera listens on ${service.url}\n`);
      await stop;
      await service.stop();
    },
  );
}
