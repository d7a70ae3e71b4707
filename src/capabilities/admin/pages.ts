import type { AnyOperation } from '../../core/operation.ts';
import type { PageSections } from '../capability.ts';
import { DOWNLOADS } from './pages/downloads.ts';
import eventsGet from './pages/events/events.get.ts';
import eventsStream from './pages/events/stream.get.ts';
import { GROUP_PAGES } from './pages/groups/pages.ts';
import lockOutsGet from './pages/lock-outs/lock-outs.get.ts';
import { unlockPages } from './pages/lock-outs/unlock.ts';
import { noPage } from './pages/no-page.ts';
import { API_KEY_PAGES } from './pages/programs/api-keys.ts';
import { CLIENT_PAGES } from './pages/programs/clients.ts';
import searchGet from './pages/search/search.get.ts';
import settingsGet from './pages/service/settings.get.ts';
import startGet from './pages/start/start.get.ts';
import { endPages } from './pages/tickets/end.ts';
import ticketsGet from './pages/tickets/tickets.get.ts';
import { userPages } from './pages/users/pages.ts';

/** The pages of this capability, with what all capabilities show on the page of a user. */
export const pagesWith = ({ userSections }: PageSections): readonly AnyOperation[] => [
  startGet,
  ...userPages(userSections),
  ...GROUP_PAGES,
  eventsGet,
  eventsStream,
  lockOutsGet,
  ...unlockPages,
  ...CLIENT_PAGES,
  ...API_KEY_PAGES,
  searchGet,
  settingsGet,
  ticketsGet,
  ...endPages,
  ...DOWNLOADS,
  noPage,
];
