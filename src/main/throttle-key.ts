import { makeThrottleKey, readThrottleKey, throttleKeyPlace } from '../identity/throttle-key.ts';
import { SettingsFaulty } from '../settings/read.ts';
import { type Settings, variableOf } from '../settings/table.ts';

/** What is to be done where the file is missing, and is not made. */
function mendOf({ database }: Settings): string {
  return database === undefined
    ? 'name the one of the service, or start the service, which makes it'
    : 'copy that of the other instances, or for the first one write 64 hex digits, such as openssl rand -hex 32 makes';
}

/** What the system's errors about the file mean for the operator. */
const FILE_FAULTS: Record<string, string> = {
  EACCES: 'give it to the user that the service runs as, and run commands as that user',
  EISDIR: 'it is a folder: name the file in it',
};

function whyNot(error: unknown, settings: Settings): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? `there is no such file: ${mendOf(settings)}` : (FILE_FAULTS[code] ?? message);
}

/**
 * The key of the counters, as it is set. The service makes one that is missing where the embedded store is its own:
 * instances that share a database count together by one key only, and a command has to have the key of the service.
 * Throws {@link SettingsFaulty} when there is none to be had.
 */
export function throttleKeyFor(settings: Settings, use: 'service' | 'command'): Buffer {
  const file = throttleKeyPlace(settings.throttleKeyFile, settings.data);
  try {
    if (use === 'service' && settings.database === undefined) makeThrottleKey(file);
    return readThrottleKey(file);
  } catch (error) {
    throw new SettingsFaulty([
      `${variableOf('throttleKeyFile')}: ${file} cannot be used: ${whyNot(error, settings)}`,
    ]);
  }
}
