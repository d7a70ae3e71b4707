import { holdToPromises } from '../core/storage/conformance/all.ts';
import { openMemory } from './memory/open.ts';

holdToPromises('the memory engine', async () => openMemory());
