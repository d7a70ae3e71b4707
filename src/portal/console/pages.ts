import type { AnyOperation } from '../../operation.ts';
import actionPages from './actions/action.ts';
import actionsGet from './actions/actions.get.ts';
import { DOWNLOADS } from './downloads.ts';
import eventsGet from './events/events.get.ts';
import eventsStream from './events/stream.get.ts';
import { GROUP_PAGES } from './groups/pages.ts';
import lockOutsGet from './lock-outs/lock-outs.get.ts';
import { unlockPages } from './lock-outs/unlock.ts';
import { noPage } from './no-page.ts';
import { API_KEY_PAGES } from './programs/api-keys.ts';
import { CLIENT_PAGES } from './programs/clients.ts';
import settingsGet from './service/settings.get.ts';
import startGet from './start/start.get.ts';
import { endPages } from './tickets/end.ts';
import ticketsGet from './tickets/tickets.get.ts';
import { USER_PAGES } from './users/pages.ts';

/** The pages of the console. */
export const CONSOLE_PAGES: readonly AnyOperation[] = [
  startGet,
  ...USER_PAGES,
  ...GROUP_PAGES,
  eventsGet,
  eventsStream,
  lockOutsGet,
  ...unlockPages,
  ...CLIENT_PAGES,
  ...API_KEY_PAGES,
  settingsGet,
  actionsGet,
  ...actionPages,
  ticketsGet,
  ...endPages,
  ...DOWNLOADS,
  noPage,
];
