import type { InheritedPlace } from '../../core/http/inherited-socket.ts';
import { SettingsFaulty } from '../../core/settings/read.ts';

/** The descriptor of the first socket that is passed to a process (sd_listen_fds(3)). */
const FIRST = 3;

/**
 * The socket that was passed to the process with this id, as sd_listen_fds(3) describes it: undefined if there is none, or if the
 * variables are meant for another process. Removes the variables, so that no child takes them for its own. Throws
 * {@link SettingsFaulty} if there are several: only one is served, and clients of the others would get no answer.
 */
export function inheritedPlace(
  env: Record<string, string | undefined>,
  pid: number,
): InheritedPlace | undefined {
  const { LISTEN_PID, LISTEN_FDS = '', LISTEN_FDNAMES } = env;
  delete env.LISTEN_PID;
  delete env.LISTEN_FDS;
  delete env.LISTEN_FDNAMES;
  if (LISTEN_PID !== String(pid) || LISTEN_FDS === '0') return undefined;
  if (LISTEN_FDS === '1') return { fd: FIRST, setting: 'LISTEN_FDS' };
  const names = LISTEN_FDNAMES === undefined ? '' : ` (${LISTEN_FDNAMES.replaceAll(':', ', ')})`;
  throw new SettingsFaulty([
    `LISTEN_FDS: ${LISTEN_FDS} sockets were passed${names}, and the service takes one: leave one ListenStream= in one unit of a socket`,
  ]);
}
