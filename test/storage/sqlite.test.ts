import { temporaryFolder } from '../service/start.ts';
import { holdToPromises } from './conformance/all.ts';
import { holdToLasting, type MakePlace } from './conformance/lasting.ts';
import { openUntilEnd } from './sqlite/folder.ts';

const place: MakePlace = async (t) => {
  const folder = await temporaryFolder(t);
  return async () => openUntilEnd(t, folder);
};

holdToPromises('the SQLite engine', async (t) => (await place(t))());
holdToLasting('the SQLite engine', place);
