import { holdToPromises } from '../core/storage/conformance/all.ts';
import { holdToLasting, type MakePlace } from '../core/storage/conformance/lasting.ts';
import { temporaryFolder } from '../service/start.ts';
import { openUntilEnd } from './sqlite/folder.ts';

const place: MakePlace = async (t) => {
  const folder = await temporaryFolder(t);
  return async () => openUntilEnd(t, folder);
};

holdToPromises('the SQLite engine', async (t) => (await place(t))());
holdToLasting('the SQLite engine', place);
