import actionPages from '../capabilities/action-definitions/pages/action.ts';
import actionsGet from '../capabilities/action-definitions/pages/actions.get.ts';
import { DOWNLOADS } from '../capabilities/admin/pages/downloads.ts';
import eventsGet from '../capabilities/admin/pages/events/events.get.ts';
import eventsStream from '../capabilities/admin/pages/events/stream.get.ts';
import { GROUP_PAGES } from '../capabilities/admin/pages/groups/pages.ts';
import lockOutsGet from '../capabilities/admin/pages/lock-outs/lock-outs.get.ts';
import { unlockPages } from '../capabilities/admin/pages/lock-outs/unlock.ts';
import { noPage } from '../capabilities/admin/pages/no-page.ts';
import { API_KEY_PAGES } from '../capabilities/admin/pages/programs/api-keys.ts';
import { CLIENT_PAGES } from '../capabilities/admin/pages/programs/clients.ts';
import settingsGet from '../capabilities/admin/pages/service/settings.get.ts';
import startGet from '../capabilities/admin/pages/start/start.get.ts';
import { endPages } from '../capabilities/admin/pages/tickets/end.ts';
import ticketsGet from '../capabilities/admin/pages/tickets/tickets.get.ts';
import { USER_PAGES } from '../capabilities/admin/pages/users/pages.ts';
import type { AnyOperation } from '../core/operation.ts';

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
