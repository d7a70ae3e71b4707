import type { AnyOperation } from '../core/operation.ts';
import discoveryGet from '../core/operations/discovery.get.ts';
import loginGet from '../core/operations/login.get.ts';
import loginPost from '../core/operations/login.post.ts';
import loginticketDelete from '../core/operations/loginticket.delete.ts';
import loginticketGet from '../core/operations/loginticket.get.ts';
import introspectPost from '../core/operations/oauth2/introspect.post.ts';
import revokePost from '../core/operations/oauth2/revoke.post.ts';
import restrictionsGet from '../core/operations/restrictions.get.ts';
import serverGet from '../core/operations/server.get.ts';
import touchGet from '../core/operations/touch.get.ts';
import v1ProbeGet from '../core/operations/v1/probe.get.ts';
import v1TicketDelete from '../core/operations/v1/ticket.delete.ts';
import v1TicketGet from '../core/operations/v1/ticket.get.ts';
import v1TicketsPost from '../core/operations/v1/tickets.post.ts';
import indexGet from '../faces/description/operations/index/index.get.ts';
import openapiGet from '../faces/description/operations/openapi.get.ts';
import referenceGet from '../faces/description/operations/reference/reference.get.ts';
import scriptGet from '../faces/description/operations/reference/script.get.ts';
import styleGet from '../faces/description/operations/reference/style.get.ts';
import { CAPABILITIES } from './capabilities.ts';

const ofCapabilities = await Promise.all(CAPABILITIES.map(({ operations }) => operations?.() ?? []));

/** Every operation that the description of the service shows. A law holds this list against the folders. */
export const operations: readonly AnyOperation[] = [
  loginGet,
  loginPost,
  loginticketDelete,
  loginticketGet,
  serverGet,
  discoveryGet,
  touchGet,
  restrictionsGet,
  indexGet,
  openapiGet,
  referenceGet,
  scriptGet,
  styleGet,
  v1TicketsPost,
  v1TicketGet,
  v1TicketDelete,
  v1ProbeGet,
  introspectPost,
  revokePost,
  ...ofCapabilities.flat(),
];
