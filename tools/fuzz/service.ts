import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../../src/client/client.ts';
import { openLog } from '../../src/core/telemetry/log.ts';
import { startService } from '../../src/main/main.ts';
import { readSettings } from '../../src/main/settings.ts';

const PASSWORD = 'correct-horse-battery';
const ENVIRONMENT = {
  TESSERA_PORT: '0',
  TESSERA_METRICS_PORT: '0',
  TESSERA_ADMIN_PASSWORD: PASSWORD,
  TESSERA_HASH_MEMORY: '8',
  TESSERA_HASH_PASSES: '1',
  // A throttle wait would change the second of two answers.
  TESSERA_THROTTLE_AFTER: '0',
  TESSERA_LOCKOUT_THRESHOLD: '0',
};

/** A service in this process on a free port, with a live ticket and a new folder. */
interface FuzzedService extends AsyncDisposable {
  readonly url: string;
  readonly ticket: string;
  /** Faults in its log so far; there must be none. */
  readonly faults: readonly string[];
}

export async function startFuzzedService(): Promise<FuzzedService> {
  const data = mkdtempSync(join(tmpdir(), 'tessera-fuzz-'));
  const { settings } = readSettings({ flags: {}, env: { ...ENVIRONMENT, TESSERA_DATA: data } });
  const faults: string[] = [];
  const log = openLog('error', { write: (line) => void faults.push(line) });
  const service = await startService(settings, { onTerminal: false, log });
  const { ticket } = await new Client(service.url).login({ username: 'admin', password: PASSWORD });
  return {
    url: service.url,
    ticket,
    faults,
    async [Symbol.asyncDispose]() {
      await service.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
