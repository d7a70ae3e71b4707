import { realpathSync } from 'node:fs';
import type { TransferSource } from '../../../core/storage/transfer-sides.ts';
import { asItIs, databaseThere, heldAlone, inFolder, lookInto } from '../data-folder.ts';
import { assertCurrent } from '../migrate.ts';
import { lastIdsOf, rowsOn } from './rows.ts';

/** Opens the embedded store in `folder` to copy from. Locks it if no process has it open, and otherwise reads it as it is now. */
export function sqliteSource(folder: string): TransferSource {
  return inFolder(folder, () => {
    const file = databaseThere(folder);
    lookInto(file, assertCurrent);
    const alone = heldAlone(file);
    const db = alone ?? asItIs(file);
    return {
      identity: `sqlite:${realpathSync(file)}`,
      label: `the data folder ${folder}`,
      inUse: alone === undefined ? 'something has its database open' : undefined,
      ...rowsOn(db, folder),
      lastIds: async () => inFolder(folder, () => lastIdsOf(db)),
      async close() {
        if (db.isOpen) db.close();
      },
    };
  });
}
