import { openMemory } from '../../src/storage/memory/open.ts';
import { holdToPromises } from './conformance/all.ts';

holdToPromises('the memory engine', async () => openMemory());
