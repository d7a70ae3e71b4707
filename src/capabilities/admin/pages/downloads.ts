import type { AnyOperation } from '../../../core/operation.ts';
import { download } from '../../../faces/pages/console/download.ts';
import groupsGet from '../../people/operations/admin/groups/groups.get.ts';
import membersGet from '../../people/operations/admin/groups/members.get.ts';
import usersGet from '../../people/operations/admin/users/users.get.ts';
import apiKeysGet from '../operations/admin/apikeys.get.ts';
import clientsGet from '../operations/admin/clients.get.ts';
import eventsGet from '../operations/admin/events.get.ts';
import lockoutsGet from '../operations/admin/lockouts.get.ts';
import ticketsGet from '../operations/admin/tickets.get.ts';
import userTicketsGet from '../operations/admin/users/tickets.get.ts';

const PREFIX = 'org/service/repository/portal/console';

/** The download of each list of the console. */
export const DOWNLOADS: readonly AnyOperation[] = [
  download(usersGet, { id: `${PREFIX}/users/download.get`, path: '/console/downloads/users' }),
  download(userTicketsGet, {
    id: `${PREFIX}/user-tickets/download.get`,
    path: '/console/downloads/users/{userName}/tickets',
  }),
  download(groupsGet, { id: `${PREFIX}/groups/download.get`, path: '/console/downloads/groups' }),
  download(membersGet, {
    id: `${PREFIX}/members/download.get`,
    path: '/console/downloads/groups/{group}/members',
  }),
  download(ticketsGet, { id: `${PREFIX}/tickets/download.get`, path: '/console/downloads/tickets' }),
  download(eventsGet, { id: `${PREFIX}/events/download.get`, path: '/console/downloads/events' }),
  download(lockoutsGet, { id: `${PREFIX}/lock-outs/download.get`, path: '/console/downloads/lock-outs' }),
  download(clientsGet, { id: `${PREFIX}/clients/download.get`, path: '/console/downloads/clients' }),
  download(apiKeysGet, { id: `${PREFIX}/api-keys/download.get`, path: '/console/downloads/api-keys' }),
];
