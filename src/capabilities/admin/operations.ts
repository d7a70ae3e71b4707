import type { AnyOperation } from '../../core/operation.ts';
import adminApikeyDelete from './operations/admin/apikey.delete.ts';
import adminApikeyGet from './operations/admin/apikey.get.ts';
import adminApikeysGet from './operations/admin/apikeys.get.ts';
import adminApikeysPost from './operations/admin/apikeys.post.ts';
import adminClientDelete from './operations/admin/client.delete.ts';
import adminClientGet from './operations/admin/client.get.ts';
import adminClientsGet from './operations/admin/clients.get.ts';
import adminClientsPost from './operations/admin/clients.post.ts';
import adminCountsGet from './operations/admin/events/counts.get.ts';
import adminEventsStreamGet from './operations/admin/events/stream.get.ts';
import adminEventsGet from './operations/admin/events.get.ts';
import adminLockoutDelete from './operations/admin/lockout.delete.ts';
import adminLockoutGet from './operations/admin/lockout.get.ts';
import adminLockoutsGet from './operations/admin/lockouts.get.ts';
import adminSettingsGet from './operations/admin/settings.get.ts';
import adminStatusGet from './operations/admin/status.get.ts';
import adminTicketsDelete from './operations/admin/tickets.delete.ts';
import adminTicketsGet from './operations/admin/tickets.get.ts';
import adminSigninGet from './operations/admin/users/signin.get.ts';
import adminUserTicketDelete from './operations/admin/users/ticket.delete.ts';
import adminUserTicketsDelete from './operations/admin/users/tickets.delete.ts';
import adminUserTicketsGet from './operations/admin/users/tickets.get.ts';

/** The operations of this capability that the description of the service shows. */
export const OPERATIONS: readonly AnyOperation[] = [
  adminStatusGet,
  adminSettingsGet,
  adminUserTicketsGet,
  adminUserTicketsDelete,
  adminSigninGet,
  adminUserTicketDelete,
  adminTicketsDelete,
  adminTicketsGet,
  adminApikeysGet,
  adminApikeysPost,
  adminApikeyGet,
  adminApikeyDelete,
  adminClientsGet,
  adminClientsPost,
  adminClientGet,
  adminClientDelete,
  adminLockoutsGet,
  adminLockoutGet,
  adminLockoutDelete,
  adminEventsGet,
  adminCountsGet,
  adminEventsStreamGet,
];
