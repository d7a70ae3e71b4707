import { V1 } from '../../../src/core/api.ts';

/** The base paths of the v1 API. */
export const [HOME = '', SHORT = ''] = V1.basePaths;
export const TICKETS = `${HOME}/authentication/versions/1/tickets`;
export const ME = `${TICKETS}/-me-`;
export const DEFINITIONS = `${HOME}/alfresco/versions/1/action-definitions`;

/** The path of the list for a node. */
export const definitionsOf = (nodeId: string) =>
  `${HOME}/alfresco/versions/1/nodes/${nodeId}/action-definitions`;
