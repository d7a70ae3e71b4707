import { readThrottleKey, throttleKeyFile } from '../identity/throttle-key.ts';
import { SettingsFaulty } from '../settings/read.ts';
import { type Settings, variableOf } from '../settings/table.ts';

/** The key of the counters, as it is set. Throws {@link SettingsFaulty} when there is none to be had. */
export function throttleKeyFor(settings: Settings): Buffer {
  const file = throttleKeyFile(settings);
  try {
    return readThrottleKey(file);
  } catch (error) {
    throw new SettingsFaulty([
      `${variableOf('throttleKeyFile')}: ${file} cannot be used: ${(error as Error).message}`,
    ]);
  }
}
