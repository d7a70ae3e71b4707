import type { AnyOperation } from '../../operation.ts';
import { DOWNLOADS } from './downloads.ts';
import eventsGet from './events/events.get.ts';
import eventsStream from './events/stream.get.ts';
import lockOutsGet from './lock-outs/lock-outs.get.ts';
import { unlockPages } from './lock-outs/unlock.ts';
import { USER_PAGES } from './users/pages.ts';

/** The pages of the console. */
export const CONSOLE_PAGES: readonly AnyOperation[] = [
  ...USER_PAGES,
  eventsGet,
  eventsStream,
  lockOutsGet,
  ...unlockPages,
  ...DOWNLOADS,
];
